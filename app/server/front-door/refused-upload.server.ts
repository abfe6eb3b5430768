import type { IncomingMessage, ServerResponse } from "node:http";

/** How long a rejected client may go on sending (ms): enough to read the answer, too short to hog our bandwidth. */
export const LINGER_MS = 2000;

/**
 * Sends the answer to an upload whose body isn't read. The whole answer is written at once, but it ends, and its
 * connection with it, only when the client has sent everything, or after two seconds: if we closed at once, the
 * client's TCP stack would drop our answer unread.
 */
export async function sendWhileReceiving(
  request: IncomingMessage,
  response: ServerResponse,
  answered: Response,
): Promise<void> {
  const body = new Uint8Array(await answered.arrayBuffer());
  if (response.destroyed) return;
  response.writeHead(answered.status, {
    ...Object.fromEntries(answered.headers),
    "content-length": body.byteLength,
  });
  response.flushHeaders();
  response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once("close", end).on("data", () => {
    request.pause();
    if (waiting.push(request) === 1) setImmediate(readOn);
  });
}

/** Pieces of at most 64 KB each that one turn throws away. Unbounded, libuv would read up to 2 MB of each upload a turn. */
const PIECES_PER_TURN = 4;
/** The uploads whose next piece waits for a turn: other visitors don't wait for all of them. */
const waiting: IncomingMessage[] = [];

function readOn(): void {
  for (const upload of waiting.splice(0, PIECES_PER_TURN)) upload.resume();
  if (waiting.length > 0) setImmediate(readOn);
}
