import { randomBytes } from "node:crypto";
import { inventedCustomers } from "~/backend/demo/seeding.server";
import { systemClock } from "~/backend/clock.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { openPostgresStore } from "~/backend/store/postgres-store.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { readEnvironment } from "~/platform/config/environment.server";

/** Random keys for one topology, in the format of DATA_KEYS. */
export function randomDataKeys(): string {
  return `1:${randomBytes(32).toString("base64")}`;
}

/**
 * Makes the tables, as a first start does, and adds the demo's customers. Nothing in the database marks them as
 * invented, since production would refuse it.
 * @param env the variables of the portals
 */
export async function seedCustomers(env: Readonly<Record<string, string>>): Promise<void> {
  const reading = readEnvironment(env);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const { environment } = reading;
  const settings = databaseSettings(environment);
  const [newest, ...older] = environment.DATA_KEYS ?? [];
  if (settings.kind !== "postgres" || !newest) throw new Error("a database and keys are needed");
  const keyring = makeKeyring([newest, ...older]);
  const store = await openPostgresStore(settings, () => undefined);
  const seed = await inventedCustomers({ store, keyring, clock: systemClock, limits: environment.limits });
  await store.write(seed);
  await store.close();
}
