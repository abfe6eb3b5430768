import type { Parts } from "../../parts.server";
import { contentOpener, partCount } from "../../secrets/document-content.server";
import type { KeptContent } from "./find-document.server";
import { streamOf } from "./stream-of.server";

/** The whole content of a kept document. @throws Error if it was changed or its key is gone */
export async function readContent(
  parts: Pick<Parts, "store" | "keyring">,
  document: Pick<KeptContent, "id" | "key" | "bytes">,
): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of openedParts(parts, document)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** The same as a stream. Each part is read when the one before has been passed on. */
export function streamContent(parts: Parts, document: KeptContent): ReadableStream<Uint8Array> {
  return streamOf(openedParts(parts, document));
}

/** One query per part, so that neither a slow reader nor a large document holds a connection or much memory. */
async function* openedParts(
  { store, keyring }: Pick<Parts, "store" | "keyring">,
  { id, key, bytes }: Pick<KeptContent, "id" | "key" | "bytes">,
): AsyncGenerator<Buffer, void> {
  const open = contentOpener(keyring, id, key, bytes);
  for (let nth = 0; nth < partCount(bytes); nth += 1) {
    const { content_sealed } = await store.read
      .selectFrom("document_parts")
      .select("content_sealed")
      .where("document_id", "=", id)
      .where("nth", "=", nth)
      .executeTakeFirstOrThrow();
    yield open(nth, content_sealed);
  }
}
