import { type ServerResponse, STATUS_CODES } from "node:http";
import { sendResponse } from "@remix-run/node-fetch-server";
import type { Limits } from "~/platform/config/limits";

/** How slowly a client may read. */
export type ReadLimits = Pick<Limits, "DOCUMENT_BYTES_PER_SECOND" | "DOCUMENT_BEHIND_MS">;

const MS_IN_SECOND = 1000;

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
 * Sends a response whose body is a stream. Cuts off a client that reads it too slowly, because its answer
 * holds memory and a place in the meantime (S128).
 */
export async function sendInTime(
  response: ServerResponse,
  answered: Response,
  limits: ReadLimits,
): Promise<void> {
  const { body, status, headers } = answered;
  const timed = body && readInTime(body, limits, () => response.destroy());
  // Remix leaves the reason phrase out.
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
  { DOCUMENT_BYTES_PER_SECOND, DOCUMENT_BEHIND_MS }: ReadLimits,
  end: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let msLeft = DOCUMENT_BEHIND_MS;
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
        const savedMs = (value.byteLength / DOCUMENT_BYTES_PER_SECOND) * MS_IN_SECOND;
        msLeft = Math.min(DOCUMENT_BEHIND_MS, msLeft + savedMs);
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
