import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { isoDayInPoland, systemClock } from "~/platform/time.server";
import type { StaffSource } from "../audit/audit-event.server";
import { ArchivesChanged, countInArchives, eraseFromArchives } from "../audit/erase-events.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Store } from "../store/store.server";
import type { CustomerIds } from "../support/account-state.server";
import { eraseRows, type Erasure, planRows } from "./erasure.server";
import { findPerson, type Person } from "./person.server";

/** The database of the portal, opened by the owner of its tables. */
interface OwnedDatabase {
  readonly store: Store;
  readonly keyring: Keyring;
}

/** Gets the progress in a few words. */
type OnProgress = (soFar: string) => void;

/**
 * Counts what `erasePerson` would erase and keep, in the database and in the archives of the audit. Changes nothing.
 * @throws ArchiveProblem if an archive can't be read
 */
export async function planErasure(
  { store, keyring }: OwnedDatabase,
  customer: CustomerIds,
  onProgress: OnProgress,
): Promise<Erasure> {
  const person = await findPerson(store.read, keyring, customer);
  const plan = await planRows(store.read, person, isoDayInPoland(systemClock()));
  const { folder } = auditSettings(environment());
  const archived = await countInArchives(store.read, folder, {
    of: person,
    onArchive: reportMonth(onProgress),
  });
  return { ...plan, tombstones: plan.tombstones + archived };
}

/** An erasure that was done. */
export interface ErasedPerson extends Erasure {
  /** Whether SQLite's files hold no deleted data; readers can prevent that. */
  readonly isScrubbed: boolean;
}

/**
 * Erases a person from the database and from the archives of the audit, then scrubs deleted data from the database's
 * files. The audit records only that it happened. Can be repeated after an interruption.
 * @throws UsageError if there is no such customer any more; ArchiveProblem if an archive can't be read
 */
export async function erasePerson(
  { store, keyring }: OwnedDatabase,
  source: StaffSource,
  customer: CustomerIds,
  onProgress: OnProgress,
): Promise<ErasedPerson> {
  const person = await findPerson(store.read, keyring, customer);
  const erasure = await eraseEverywhere({ store, keyring }, source, person, onProgress);
  return { isScrubbed: await scrub(store), ...erasure };
}

/** Plenty: only one month is archived per month. */
const MOST_TRIES = 5;

/** Erases the archives first: if that is interrupted, the next run still knows which events are the person's. */
async function eraseEverywhere(
  { store, keyring }: OwnedDatabase,
  source: StaffSource,
  person: Person,
  onProgress: OnProgress,
): Promise<Erasure> {
  const folder = auditSettings(environment()).folder;
  const { customerId } = person;
  const onArchive = reportMonth(onProgress);
  let archived = 0;
  for (let tries = 1; ; tries += 1) {
    const now = systemClock();
    try {
      const searched = await eraseFromArchives(store, keyring, folder, {
        of: person,
        source,
        now,
        onArchive,
      });
      archived += searched.events;
      onProgress("erasing from the database");
      const rows = { customerId, today: isoDayInPoland(now), now, source, searched: searched.files };
      const erasure = await store.write((tx) => eraseRows(tx, keyring, rows));
      if (!erasure) throw new UsageError("no such customer");
      return { ...erasure, tombstones: erasure.tombstones + archived };
    } catch (error) {
      if (!(error instanceof ArchivesChanged) || tries === MOST_TRIES) throw error;
    }
  }
}

function reportMonth(onProgress: OnProgress): (month: string) => void {
  return (month) => {
    onProgress(`searching the audit of ${month}`);
  };
}

const RETRY_MS = 50;
const GIVE_UP_MS = 10_000;

/**
 * Removes deleted data from SQLite's files: the database file is written again, since pages that a portal has split keep
 * old copies of rows, and the log is emptied. On PostgreSQL the server's `vacuum` does that in due course.
 * @returns whether the log could be emptied, which readers can prevent
 */
async function scrub(store: Store): Promise<boolean> {
  if (store.read.isPostgres) return true;
  await sql`vacuum`.execute(store.read);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await emptyLog(store))) {
    if (performance.now() > giveUpAt) return false;
    await wait(RETRY_MS);
  }
  return true;
}

/** Returns false if a reader prevents it. */
async function emptyLog(store: Store): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.read);
  return rows[0]?.busy === 0;
}
