/** The pieces as a stream: the next one is made when the one before has been passed on, and no further one once it is cancelled. */
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
