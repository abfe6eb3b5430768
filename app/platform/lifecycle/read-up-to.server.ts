/**
 * The body of another server's answer, unpacked. It is counted while it is read: a length may be missing, or be that
 * of something packed.
 * @throws Error when it is longer than `most` bytes
 */
export async function readUpTo(most: number, answer: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the stream, and with it the connection.
    if (length > most) throw new Error(`The answer is longer than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
