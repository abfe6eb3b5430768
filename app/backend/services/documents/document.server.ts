import type { ReadRequest } from "~/contract/calls.server";
import type { PdfFile } from "~/contract/pdf-file.server";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { HOUR } from "../../clock.server";
import { PdfWorkBusy } from "../../documents/pdf-work.server";
import { NOT_FOUND, TOO_BUSY, done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { audit } from "../audit/write-event.server";
import { takeFromWindow } from "../counting/windows.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { findDocument, type FoundDocument } from "./find-document.server";
import { readContent, streamContent } from "./read-content.server";
import { storedDocumentPassword } from "./stored-password.server";
import { streamOf } from "./stream-of.server";

/**
 * Gives out a document: makes the confirmation of cover, or reads a kept one. All but public terms are encrypted with
 * the current document password (contract: customer area, Protected documents).
 */
export async function document(
  parts: Parts,
  caller: Caller,
  { id }: ReadRequest<"document">,
  session: ActiveSession,
): Promise<Outcome<PdfFile>> {
  const found = await findDocument(parts, id, session.customerId);
  if (!found) return NOT_FOUND;
  const tooMany = await takeDownload(parts, session);
  if (tooMany) return tooMany;
  const fileName = fileNameOf(found);
  if (found.kind === "kept" && !found.isProtected) {
    await recordDownload(parts, caller, session);
    return done({ fileName, bytes: found.bytes, body: streamContent(parts, found) });
  }
  const password = await storedDocumentPassword(parts, caller, session.accountId);
  if (password.kind !== "done") return password;
  return protectedFile(parts, caller, session, found, password.value);
}

async function protectedFile(
  parts: Parts,
  caller: Caller,
  session: ActiveSession,
  found: FoundDocument,
  password: string,
): Promise<Outcome<PdfFile>> {
  const { pdf, confirmationTexts, clock } = parts;
  try {
    const bytes =
      found.kind === "confirmation"
        ? await pdf.make(confirmationTexts.sheet(found.facts, clock()), password)
        : await pdf.protect(await readContent(parts, found), password);
    await recordDownload(parts, caller, session);
    return done({ fileName: fileNameOf(found), bytes: bytes.byteLength, body: streamOf(pieces(bytes)) });
  } catch (error) {
    if (error instanceof PdfWorkBusy) return TOO_BUSY;
    throw error;
  }
}

/** Encrypting costs as much as several pages, so an account's downloads are capped. */
async function takeDownload(
  { store, limits, clock }: Parts,
  { accountId }: ActiveSession,
): Promise<Refusal | undefined> {
  const cap = { bucket: `documents|account|${accountId}`, most: limits.DOCUMENTS_PER_HOUR, lengthMs: HOUR };
  return store.apart((db) => takeFromWindow(db, cap, clock()));
}

async function recordDownload({ store, clock }: Parts, caller: Caller, { accountId }: ActiveSession) {
  await store.write((tx) => audit(tx, caller, clock(), { event: "document-downloaded", accountId }));
}

function fileNameOf({ name }: FoundDocument): string {
  return `${name}.pdf`;
}

const PIECE_BYTES = 64 * 1024;

/** Cuts the file up, so that a slow reader's connection buffers no more than one piece. */
function* pieces(bytes: Uint8Array): Generator<Uint8Array, void> {
  for (let from = 0; from < bytes.byteLength; from += PIECE_BYTES)
    yield bytes.subarray(from, from + PIECE_BYTES);
}
