import type { createHmac } from "node:crypto";

/** A keyed hash that is being fed. (Node's own type is deprecated together with its constructor.) */
export type Mac = ReturnType<typeof createHmac>;

/** Passes a stream on, and feeds its content to a hash. */
export async function* hashing<Chunk extends Uint8Array>(
  content: AsyncIterable<Chunk>,
  hash: Pick<Mac, "update">,
): AsyncGenerator<Chunk> {
  for await (const chunk of content) {
    hash.update(chunk);
    yield chunk;
  }
}
