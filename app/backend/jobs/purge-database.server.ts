import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { archiveMonths, mayArchive } from "../audit/archive-months.server";
import { sealEvents } from "../audit/seal-events.server";
import type { Keyring } from "../secrets/keyring.server";
import { keepMonthsAhead } from "../store/postgres-migrations.server";
import type { Store } from "../store/store.server";
import { noteSuccess } from "./job-successes.server";
import { purge } from "./upkeep.server";

/** What a purge did. */
export interface Purged {
  /** How many rows were deleted, by table. */
  readonly deleted: ReadonlyMap<string, number>;
  /** The months of the audit that were archived; undefined if this role may not change the audit. */
  readonly archived: readonly string[] | undefined;
}

/**
 * Does the upkeep that portals do every few minutes, and the part of it that only the tables' owner may do: it makes the
 * audit's partitions of coming months, seals the audit and archives old months.
 */
export async function purgeDatabase(
  store: Store,
  keyring: Keyring,
  onProgress: (text: string) => void,
): Promise<Purged> {
  const deleted = await purge(store, environment().limits, systemClock(), (table, rows) => {
    onProgress(`${table}: ${rows.toLocaleString("en-US")} rows deleted`);
  });
  const archived = await archiveOldMonths(store, keyring, onProgress);
  if (archived) await store.write((tx) => noteSuccess(tx, "purge", systemClock()));
  return { deleted, archived };
}

async function archiveOldMonths(
  store: Store,
  keyring: Keyring,
  onProgress: (text: string) => void,
): Promise<readonly string[] | undefined> {
  if (!(await mayArchive(store.read))) return undefined;
  await keepMonthsAhead(store);
  onProgress("sealing the audit");
  await sealEvents(store, keyring, systemClock);
  const onMonth = (month: string) => {
    onProgress(`archiving the audit of ${month}`);
  };
  const archiving = { ...auditSettings(environment()), now: systemClock(), onMonth };
  return (await archiveMonths(store, keyring, archiving)).map(({ month }) => month);
}
