import { randomBytes } from "node:crypto";
import { prepareCustomers } from "~/backend/demo/seed-customers.server";
import { DEMO } from "~/demo/seeding.server";
import { Passwords } from "~/backend/secrets/passwords.server";
import { systemClock } from "~/platform/time.server";
import { openPdfWork } from "~/backend/documents/pdf-workers.server";
import { makeKeyring, type Keyring } from "~/backend/secrets/keyring.server";
import { openPostgresStore } from "~/backend/store/postgres-store.server";
import type { Store } from "~/backend/store/store.server";
import { databaseSettings } from "~/platform/config/database-settings.server";
import { readEnvironment, type Environment } from "~/platform/config/environment.server";

/** Random keys for one topology, in the format of DATA_KEYS. */
export function randomDataKeys(): string {
  return `1:${randomBytes(32).toString("base64")}`;
}

/** The store and the keys of portals that are about to start. */
export interface Stored {
  readonly keyring: Keyring;
  readonly openStore: () => Promise<Store>;
}

/** Finds them in the portals' variables. */
function storedAt(env: Readonly<Record<string, string>>): Stored & Pick<Environment, "limits"> {
  const reading = readEnvironment(env);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  const { environment } = reading;
  const settings = databaseSettings(environment);
  const [newest, ...older] = environment.DATA_KEYS ?? [];
  if (settings.kind !== "postgres" || !newest) throw new Error("a database and keys are needed");
  const openStore = () => openPostgresStore(settings, () => undefined);
  return { keyring: makeKeyring([newest, ...older]), openStore, limits: environment.limits };
}

/**
 * Makes the tables, as a first start does, and adds the demo's customers. Nothing in the database marks them as
 * invented, since production would refuse it.
 * @param env the variables of the portals
 * @param more adds further rows
 */
export async function seedCustomers(
  env: Readonly<Record<string, string>>,
  more?: (stored: Stored) => Promise<void>,
): Promise<void> {
  const { keyring, openStore, limits } = storedAt(env);
  const store = await openStore();
  const pdf = openPdfWork(limits, "build/server/pdf-worker.js");
  const queue = { parallel: limits.HASH_PARALLEL, waitMs: Infinity, places: Infinity, holdMs: 0 };
  const passwords = new Passwords(keyring, queue);
  const seed = await prepareCustomers({ store, keyring, clock: systemClock, passwords, pdf }, DEMO);
  await pdf.close();
  await store.write(seed);
  await store.close();
  await more?.({ keyring, openStore });
}
