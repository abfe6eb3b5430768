/**
 * Makes something once for all tests of this process, when it is first wanted. A failure is not kept: the next test
 * tries again, so one late answer doesn't make every later test red.
 */
export function madeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
