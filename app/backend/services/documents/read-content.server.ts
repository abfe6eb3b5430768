import type { Dependencies } from "../../dependencies.server";
import { contentOpener, partCount } from "../../secrets/document-content.server";
import type { DownloadPlace, InTurn } from "./downloads.server";
import type { KeptContent } from "./find-document.server";
import { streamOf } from "./stream-of.server";

/** The whole content of a kept document. @throws Error if it was changed or its key is gone */
export async function readContent(
  deps: Pick<Dependencies, "store" | "keyring">,
  document: Pick<KeptContent, "id" | "key" | "bytes">,
  inTurn: InTurn = (read) => read(),
): Promise<Uint8Array> {
  // Not from a pool and not joined at the end: a part's memory is free again at once.
  const content = new Uint8Array(document.bytes);
  let length = 0;
  for await (const piece of openedParts(deps, document, inTurn)) {
    content.set(piece, length);
    length += piece.byteLength;
  }
  return content;
}

/** The same as a stream. Each part is read when the one before has been passed on. */
export function streamContent(
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
