import { counter } from "~/platform/telemetry/metrics.server";
import { done, NOT_FOUND, type Outcome, type Refusal } from "~/contract/refusal.server";
import type { ReadRequest } from "~/contract/calls.server";
import type { PdfFile } from "~/contract/pdf-file.server";
import { HOUR } from "~/platform/time.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { contentOpener, openDocumentPassword, partCount } from "../secrets/data-key.server";
import { insuredName } from "../customers/customers.server";
import { spend } from "../limits/windows.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { type ConfirmationFacts, policyOfConfirmation } from "./confirmation.server";
import type { DownloadEnds, DownloadPlace, InTurn } from "./downloads.server";
import { isProtected } from "./policy.server";

/** The customer has to set one first (contract: customer area). */
const PASSWORD_MISSING: Refusal = { kind: "refused", errorCode: "document-password-missing" };
/** The key is gone, or the row was changed. Only a new password helps, and an operator must know. */
const PASSWORD_UNREADABLE: Refusal = { kind: "refused", errorCode: "document-password-unreadable" };

const unreadable = counter(
  {
    name: "portal_document_passwords_unreadable_total",
    help: "Document passwords that no longer open: their key is missing, or they were changed",
  },
  {},
);

/** Decrypts the document password of an account. Audited before it happens. */
async function storedDocumentPassword(
  { store, keyring, clock, log }: Dependencies,
  caller: Caller,
  accountId: string,
): Promise<Outcome<string>> {
  const row = await store.read
    .selectFrom("document_passwords")
    .select(["key_version", "wrapped_key", "password_sealed"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!row) return PASSWORD_MISSING;
  await store.write((tx) => audit(tx, caller, clock(), { event: "document-password-opened", accountId }));
  try {
    const kept = { keyVersion: row.key_version, wrappedKey: row.wrapped_key, sealed: row.password_sealed };
    return done(openDocumentPassword(keyring, accountId, kept));
  } catch (error) {
    log.error({ err: error, accountId, requestId: caller.requestId }, "document password unreadable");
    unreadable.inc({});
    return PASSWORD_UNREADABLE;
  }
}

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

/** The time limit includes the wait for a place, and all work on the call before. */
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
  return store.write((tx) => spend(tx, cap, clock()));
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

/** The whole content of a kept document. @throws Error if it was changed or its key is gone */
export async function readContent(
  deps: Pick<Dependencies, "store" | "keyring">,
  document: Pick<KeptContent, "id" | "key" | "bytes">,
  inTurn: InTurn = (read) => read(),
): Promise<Uint8Array> {
  // Filled in place rather than joined at the end, and not from a pool, so that a part's memory is free at once.
  const content = new Uint8Array(document.bytes);
  let length = 0;
  for await (const piece of openedParts(deps, document, inTurn)) {
    content.set(piece, length);
    length += piece.byteLength;
  }
  return content;
}

/** The content as a stream. Each part is read when the previous part has been passed on. */
function streamContent(
  deps: Dependencies,
  document: KeptContent,
  { inTurn, end }: DownloadPlace,
): ReadableStream<Uint8Array> {
  return streamOf(openedParts(deps, document, inTurn), end);
}

/** One query per part, so that neither a slow reader nor a large document holds a connection or much memory. */
async function* openedParts(
  { store, keyring }: Pick<Dependencies, "store" | "keyring">,
  { id, key, bytes }: Pick<KeptContent, "id" | "key" | "bytes">,
  inTurn: InTurn,
): AsyncGenerator<Buffer, void> {
  const open = contentOpener(keyring, id, key, bytes);
  for (let nth = 0; nth < partCount(bytes); nth += 1) {
    const part = store.read
      .selectFrom("document_parts")
      .select("content_sealed")
      .where("document_id", "=", id)
      .where("nth", "=", nth);
    const { content_sealed } = await inTurn(() => part.executeTakeFirstOrThrow());
    yield open(nth, content_sealed);
  }
}

/**
 * Makes a stream of pieces. Each piece is made when the previous piece has been passed on; cancelling the stream ends
 * the generator.
 * @param onEnd called once, when there is nothing more to pass on: after the last piece, an error, or a cancel
 */
function streamOf(
  pieces: AsyncGenerator<Uint8Array, void> | Generator<Uint8Array, void>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = await pieces.next();
          if (piece.done !== true) {
            controller.enqueue(piece.value);
            return;
          }
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        controller.close();
      },
      async cancel() {
        onEnd();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

/** A customer's document, with the data needed to give it out. */
export type FoundDocument =
  | { readonly kind: "confirmation"; readonly name: string; readonly facts: ConfirmationFacts }
  | KeptContent;

/** A kept document, and the key to its content. */
export interface KeptContent {
  readonly kind: "kept";
  readonly name: string;
  readonly id: string;
  readonly bytes: number;
  readonly isProtected: boolean;
  readonly key: { readonly keyVersion: number; readonly wrappedKey: string };
}

/** Finds a customer's document. Another customer's document takes the same queries as an unknown id. */
async function findDocument(
  deps: Dependencies,
  id: string,
  customerId: string,
): Promise<FoundDocument | undefined> {
  const policyId = policyOfConfirmation(id);
  return policyId === undefined
    ? findKept(deps, id, customerId)
    : findConfirmation(deps, policyId, customerId);
}

async function findKept(
  { store }: Dependencies,
  id: string,
  customerId: string,
): Promise<KeptContent | undefined> {
  const row = await store.read
    .selectFrom("documents")
    .innerJoin("policies", "policies.policy_no", "documents.policy_no")
    .select(["documents.id", "documents.name", "documents.kind", "bytes", "key_version", "wrapped_key"])
    .where("documents.id", "=", id)
    .where("policies.customer_id", "=", customerId)
    .executeTakeFirst();
  return (
    row && {
      kind: "kept",
      id: row.id,
      name: row.name,
      bytes: row.bytes,
      isProtected: isProtected(row.kind),
      key: { keyVersion: row.key_version, wrappedKey: row.wrapped_key },
    }
  );
}

async function findConfirmation(
  { store, keyring, confirmationTexts }: Dependencies,
  policyId: string,
  customerId: string,
): Promise<FoundDocument | undefined> {
  const row = await store.read
    .selectFrom("policies")
    .select(["policy_no", "name", "valid_from", "valid_to"])
    .where("id", "=", policyId)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  if (!row) return undefined;
  const facts = {
    policyNo: row.policy_no,
    name: row.name,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    insured: await insuredName(store.read, keyring, customerId),
  };
  return { kind: "confirmation", name: `${confirmationTexts.name} ${row.policy_no}`, facts };
}
