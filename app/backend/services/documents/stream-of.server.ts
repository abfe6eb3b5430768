/**
 * Makes a stream of pieces. Each is made when the one before has been passed on; cancelling the stream ends the
 * generator.
 */
export function streamOf(
  pieces: AsyncGenerator<Uint8Array, void> | Generator<Uint8Array, void>,
): ReadableStream<Uint8Array> {
  return new ReadableStream(
    {
      async pull(controller) {
        const piece = await pieces.next();
        if (piece.done === true) controller.close();
        else controller.enqueue(piece.value);
      },
      async cancel() {
        await pieces.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}
