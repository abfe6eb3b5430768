/**
 * Reads the decompressed body of another server's answer. Counts bytes while reading, because the length header may be
 * missing or mean the compressed size.
 * @throws Error when the body is longer than `most` bytes
 */
export async function readUpTo(most: number, answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream and closes the connection.
    if (length > most) throw new Error(`The answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
