/** The result of `work`, or undefined if that takes longer than `ms`; the work itself goes on. Rethrows its errors. */
export async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
    timer.unref();
  });
  return Promise.race([work, late]).finally(() => {
    clearTimeout(timer);
  });
}
