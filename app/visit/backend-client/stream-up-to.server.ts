/** How far another server's long answer is trusted. */
interface StreamLimits {
  readonly mostBytes: number;
  /** Longest wait for the next piece, in ms. */
  readonly pauseMs: number;
}

/**
 * Streams the body of another server's answer. Breaks off with an error if it is too long or the next piece takes too
 * long, and closes the connection if the visitor leaves.
 * @param end ends the request to that server
 */
export function streamUpTo(
  body: ReadableStream<Uint8Array>,
  { mostBytes, pauseMs }: StreamLimits,
  end: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        // Runs only while the visitor is waiting: a slow visitor is not that server's fault.
        const timer = setTimeout(() => {
          end.abort(new Error(`The answer paused for more than ${pauseMs} ms`));
        }, pauseMs);
        const { done, value } = await reader.read().finally(() => {
          clearTimeout(timer);
        });
        if (done) {
          controller.close();
          return;
        }
        length += value.byteLength;
        if (length > mostBytes) {
          const tooLong = new Error(`The answer is longer than ${mostBytes} bytes`);
          end.abort(tooLong);
          throw tooLong;
        }
        controller.enqueue(value);
      },
      cancel(reason) {
        end.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
