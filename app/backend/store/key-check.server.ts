import { StartRefusal } from "../start-refusal.server";
import type { Keyring } from "../secrets/keyring.server";
import { open, seal } from "../secrets/sealing.server";
import type { Store } from "./store.server";

const FACT = "key-check";
const PLACE = { table: "facts", column: "value", row: FACT };
const TEXT = "the keys fit";

/**
 * Makes sure that the keys belong to this database, before anything is written with wrong ones.
 * @throws StartRefusal when they don't
 */
export async function checkKeys(store: Store, keyring: Keyring): Promise<void> {
  const fact = await store.read
    .selectFrom("facts")
    .select("value")
    .where("name", "=", FACT)
    .executeTakeFirst();
  if (fact && !fits(keyring, fact.value)) throw new StartRefusal("the keys do not belong to this database");
  const value = seal(keyring, PLACE, TEXT);
  await store.write((tx) =>
    tx
      .insertInto("facts")
      .values({ name: FACT, value })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
      .execute(),
  );
}

function fits(keyring: Keyring, value: string): boolean {
  try {
    return open(keyring, PLACE, value) === TEXT;
  } catch {
    return false;
  }
}
