import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { type Keyring, open, seal, versionOf } from "../secrets/keyring.server";
import type { Store, Tx } from "./store.server";

const FACT = "key-check";
const PLACE = { table: "facts", column: "value", row: FACT };
const TEXT = "the keys fit";
const SEPARATOR = ",";

/** Whether a portal has ever written to the database with keys. */
export async function hasKeyCheck(store: Pick<Store, "read">): Promise<boolean> {
  const fact = await store.read
    .selectFrom("facts")
    .select("name")
    .where("name", "=", FACT)
    .executeTakeFirst();
  return fact !== undefined;
}

/**
 * Checks that the keys belong to this database, before anything is written with wrong ones. The database holds one
 * sentence sealed with each key that its rows may need. If several processes start at once with different keys, the
 * first one wins.
 * @throws StartRefusal if a key is wrong or missing
 */
export async function checkKeys(store: Store, keyring: Keyring): Promise<void> {
  await store.write(async (tx) => {
    const sentences = await lockSentences(tx, keyring);
    refuseOtherKeys(keyring, sentences);
    if (sentences.map(versionOf).includes(keyring.current)) return;
    await keepSentences(tx, [seal(keyring, PLACE, TEXT), ...sentences]);
  });
}

/**
 * Like `checkKeys`, for a role that may not write. @throws StartRefusal also if the database was never used with keys
 */
export async function checkKeysReadOnly(store: Pick<Store, "read">, keyring: Keyring): Promise<void> {
  const fact = await store.read
    .selectFrom("facts")
    .select("value")
    .where("name", "=", FACT)
    .executeTakeFirst();
  if (!fact) throw new StartRefusal("no portal has used this database with keys yet");
  refuseOtherKeys(keyring, fact.value.split(SEPARATOR));
}

function refuseOtherKeys(keyring: Keyring, sentences: readonly string[]): void {
  const missing = sentences.map(versionOf).find((version) => !keyring.versions.includes(version));
  if (missing !== undefined)
    throw new StartRefusal(`the database needs key version ${missing}, which is missing from the keys`);
  if (!sentences.every((sentence) => fits(keyring, sentence)))
    throw new StartRefusal("the keys do not belong to this database");
}

/** Records that no row uses other keys than the current one and these versions (S84). */
export async function keepKeyVersions(
  store: Store,
  keyring: Keyring,
  versions: readonly number[],
): Promise<void> {
  await store.write(async (tx) => {
    const sentences = await lockSentences(tx, keyring);
    const isNeeded = (version: number) => version === keyring.current || versions.includes(version);
    await keepSentences(
      tx,
      sentences.filter((sentence) => isNeeded(versionOf(sentence))),
    );
  });
}

/**
 * The sentences, locked until the transaction ends (by a write that changes nothing). Adds the first one if there is
 * none.
 */
async function lockSentences(tx: Tx, keyring: Keyring): Promise<string[]> {
  const { value } = await tx
    .insertInto("facts")
    .values({ name: FACT, value: seal(keyring, PLACE, TEXT) })
    .onConflict((conflict) => conflict.column("name").doUpdateSet((eb) => ({ value: eb.ref("facts.value") })))
    .returning("value")
    .executeTakeFirstOrThrow();
  return value.split(SEPARATOR);
}

async function keepSentences(tx: Tx, sentences: readonly string[]): Promise<void> {
  await tx
    .updateTable("facts")
    .set({ value: sentences.join(SEPARATOR) })
    .where("name", "=", FACT)
    .execute();
}

function fits(keyring: Keyring, sentence: string): boolean {
  try {
    return open(keyring, PLACE, sentence) === TEXT;
  } catch {
    return false;
  }
}

/** Marks a database that holds the demo's customers. */
export const DEMO_CUSTOMERS_FACT = "demo-customers";
const PRODUCTION_FACT = "production";

/**
 * Keeps demo and production apart, because everybody knows the demo customers' passwords and can read their messages. A
 * database keeps the mode that it was first used in (S18).
 * @throws StartRefusal if it was first used in the other mode
 */
export async function checkMode(store: Store, mode: "demo" | "production"): Promise<void> {
  const isKnown = await checkModeReadOnly(store, mode);
  if (mode === "demo" || isKnown) return;
  await store.write((tx) =>
    tx
      .insertInto("facts")
      .values({ name: PRODUCTION_FACT, value: "yes" })
      .onConflict((conflict) => conflict.column("name").doNothing())
      .execute(),
  );
}

/** Like `checkMode`, without writing. Returns whether the database is in production already. @throws StartRefusal */
export async function checkModeReadOnly(
  store: Pick<Store, "read">,
  mode: "demo" | "production",
): Promise<boolean> {
  const facts = await store.read.selectFrom("facts").select("name").execute();
  const has = (name: string) => facts.some((fact) => fact.name === name);
  if (mode === "demo" && has(PRODUCTION_FACT))
    throw new StartRefusal("this database is in production: it can't be opened with PORTAL_MODE=demo");
  if (mode === "production" && has(DEMO_CUSTOMERS_FACT))
    throw new StartRefusal(
      "this database holds the demo's customers: production needs a database of its own",
    );
  return has(PRODUCTION_FACT);
}
