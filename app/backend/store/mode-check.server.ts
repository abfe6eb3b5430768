import { StartRefusal } from "../start-refusal.server";
import type { Store } from "./store.server";

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
