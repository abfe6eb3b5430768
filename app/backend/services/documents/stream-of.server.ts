/**
 * Makes a stream of pieces. Each is made when the one before has been passed on; cancelling the stream ends the
 * generator.
 * @param onEnd called once, when there is nothing more to pass on: after the last piece, an error, or a cancel
 */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array, void> | Generator<Uint8Array, void>,
  onEnd: () => void,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        try {
          const piece = await pieces.next();
          if (piece.done !== true) {
            controller.enqueue(piece.value);
            return;
          }
        } catch (error) {
          onEnd();
          throw error;
        }
        onEnd();
        controller.close();
      },
      async cancel() {
        onEnd();
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
