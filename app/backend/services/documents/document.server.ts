import type { ReadRequest } from "~/contract/calls.server";
import type { PdfFile } from "~/contract/pdf-file.server";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../../caller.server";
import { HOUR } from "../../clock.server";
import { NOT_FOUND, done, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { audit } from "../audit/write-event.server";
import { takeFromWindow } from "../counting/windows.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import type { DownloadEnds, DownloadPlace } from "./downloads.server";
import { findDocument, type FoundDocument } from "./find-document.server";
import { readContent, streamContent } from "./read-content.server";
import { storedDocumentPassword } from "./stored-password.server";
import { streamOf } from "./stream-of.server";

/**
 * Gives out a document: makes the confirmation of cover, or reads a kept one. All but public terms are encrypted with
 * the current document password (contract: customer area, Protected documents).
 */
export async function document(
  deps: Dependencies,
  caller: Caller,
  { id }: ReadRequest<"document">,
  session: ActiveSession,
): Promise<Outcome<PdfFile>> {
  const found = await findDocument(deps, id, session.customerId);
  if (!found) return NOT_FOUND;
  const ends = endsOf(deps, caller);
  return deps.downloads.run(session.accountId, ends, (place) =>
    fileIn(place, deps, caller, session, found, ends),
  );
}

/** The wait for a place counts, and so does what came before. */
function endsOf({ limits, stopwatch }: Dependencies, { arrivedAt, left }: Caller): DownloadEnds {
  const msLeft = limits.PDF_MS - (stopwatch() - arrivedAt);
  return { late: AbortSignal.timeout(Math.max(0, Math.ceil(msLeft))), left: left?.() };
}

async function fileIn(
  place: DownloadPlace,
  deps: Dependencies,
  caller: Caller,
  session: ActiveSession,
  found: FoundDocument,
  { late }: DownloadEnds,
): Promise<Outcome<PdfFile>> {
  const tooMany = await takeDownload(deps, session);
  if (tooMany) return tooMany;
  const fileName = fileNameOf(found);
  if (found.kind === "kept" && !found.isProtected) {
    await recordDownload(deps, caller, session);
    return done({ fileName, bytes: found.bytes, body: streamContent(deps, found, place) });
  }
  const password = await storedDocumentPassword(deps, caller, session.accountId);
  if (password.kind !== "done") return password;
  const { pdf, confirmationTexts, clock } = deps;
  const bytes =
    found.kind === "confirmation"
      ? await pdf.make(confirmationTexts.sheet(found.facts, clock()), password.value, late)
      : await pdf.protect(await readContent(deps, found, place.inTurn), password.value, late);
  await recordDownload(deps, caller, session);
  return done({ fileName, bytes: bytes.byteLength, body: streamOf(pieces(bytes), place.end) });
}

/** Encrypting costs as much as several pages, so an account's downloads are capped. */
async function takeDownload(
  { store, limits, clock }: Dependencies,
  { accountId }: ActiveSession,
): Promise<Refusal | undefined> {
  const cap = { bucket: `documents|account|${accountId}`, most: limits.DOCUMENTS_PER_HOUR, lengthMs: HOUR };
  return store.write((tx) => takeFromWindow(tx, cap, clock()));
}

async function recordDownload({ store, clock }: Dependencies, caller: Caller, { accountId }: ActiveSession) {
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
