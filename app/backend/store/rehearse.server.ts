import type { Store, Tx } from "./store.server";

/** Thrown to roll a transaction back. */
class Undone extends Error {}

/** Dry run: does work in a transaction and rolls it back. @throws the work's error */
export async function rehearse<Value>(store: Store, work: (tx: Tx) => Promise<Value>): Promise<Value> {
  const runs: { readonly value: Value }[] = [];
  try {
    await store.write(async (tx) => {
      runs.push({ value: await work(tx) });
      throw new Undone();
    });
  } catch (error) {
    if (!(error instanceof Undone)) throw error;
  }
  // Retries run the work again: the last run counts.
  const last = runs.at(-1);
  if (!last) throw new Error("the transaction has not run");
  return last.value;
}
