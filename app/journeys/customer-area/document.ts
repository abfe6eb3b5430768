import type { LoaderFunctionArgs } from "@remix-run/node";
import { pdfHeaders } from "~/contract/pdf-file.server";
import { isWait } from "~/contract/refusal.server";
import { problemResponse, waitingResponse } from "~/shell/static-page.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { signedIn } from "~/visit/gate.server";
import { documentPasswordPath } from "../kit/addresses";
import { newDocumentPassword } from "../kit/flows";
import { isId } from "./load-or-not-found";

/** Serves a document. Refusals are pages (contract: customer area). */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit } = await signedIn(args);
  const { id = "" } = args.params;
  if (!isId(id)) return problemResponse(args, 404);
  const answer = await visit.backend.call("document", { id }, args.context.left);
  if (answer.kind === "not-found") return problemResponse(args, 404);
  const document = await visit.redirectOnFailure(answer);
  if (document.kind === "done")
    return new Response(document.value.body, { headers: pdfHeaders(document.value) });
  if (isWait(document)) return waitingResponse(args, visit.t, document);
  if (document.kind === "refused" && document.errorCode === "document-password-missing") {
    await visit.remember(newDocumentPassword, { documentId: id, resent: false });
    throw visit.redirectTo(documentPasswordPath("create"));
  }
  return problemResponse(args, 500, { texts: { text: visit.t("cp:document.unreadable") } });
}

export const action = readOnlyFile;
