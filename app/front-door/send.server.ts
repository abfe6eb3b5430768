import { sendResponse } from "@remix-run/node-fetch-server";
import { type IncomingMessage, STATUS_CODES, type ServerResponse } from "node:http";

/** How slowly a client may read. */
export interface ReadLimits {
  readonly bytesPerSecond: number;
  /** How far it may fall behind that (ms). */
  readonly behindMs: number;
}

const MS_IN_SECOND = 1000;
/** How long a rejected client may go on sending (ms): enough to read the answer, too short to hog our bandwidth. */
export const LINGER_MS = 2000;

/** Makes a signal that is aborted when a response is over: sent, or given up because the client has left. */
export function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    left.abort(new Error("the client has left"));
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return left.signal;
}

/**
 * Sends the answer to an upload that nobody reads. All of it is written at once, but it ends, and the connection with it,
 * only when the client has sent everything, or after two seconds: if we closed at once, the client's TCP stack would
 * drop our answer unread.
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
  request.once("close", end).resume();
}

/**
 * Sends a response whose body is a stream. Cuts off a client that reads it too slowly, because what is made for it holds
 * memory and a place meanwhile (S128).
 */
export async function sendInTime(
  response: ServerResponse,
  answered: Response,
  limits: ReadLimits,
): Promise<void> {
  const { body, status, headers } = answered;
  const timed = body && readInTime(body, limits, () => response.destroy());
  // Remix leaves the reason out.
  const statusText = STATUS_CODES[status] ?? "";
  await sendResponse(response, new Response(timed, { status, statusText, headers }));
}

/**
 * A stream that is ended if it is read too slowly. Only the time between a piece and the wish for the next one counts: a
 * slow source is not the reader's fault. Time that a fast reader saves is kept up to the time it may fall behind: the
 * system takes the first megabytes at once, whether they are read or not.
 */
function readInTime(
  body: ReadableStream<Uint8Array>,
  { bytesPerSecond, behindMs }: ReadLimits,
  end: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let msLeft = behindMs;
  let timer: NodeJS.Timeout | undefined;
  let handedAt = performance.now();
  return new ReadableStream(
    {
      async pull(controller) {
        clearTimeout(timer);
        msLeft -= performance.now() - handedAt;
        const { done, value } = await reader.read();
        handedAt = performance.now();
        if (done) {
          controller.close();
          return;
        }
        msLeft = Math.min(behindMs, msLeft + (value.byteLength / bytesPerSecond) * MS_IN_SECOND);
        timer = setTimeout(end, msLeft);
        controller.enqueue(value);
      },
      async cancel(reason) {
        clearTimeout(timer);
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
