/** A body is longer than its reader takes. */
export class BodyTooLong extends Error {
  constructor(most: number) {
    super(`The body is longer than ${most} bytes`);
  }
}

/**
 * Reads a body that comes over the network. Counts its bytes as they arrive and stops at the limit, because the head may
 * say anything: the length may be missing, wrong, or mean the compressed size. Leaving a stream early ends its
 * connection, unless the caller gives an iterator that doesn't.
 * @param most bytes
 * @throws BodyTooLong
 */
export async function readUpTo(
  most: number,
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array> | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > most) throw new BodyTooLong(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
