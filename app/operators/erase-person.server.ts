import { setTimeout as wait } from "node:timers/promises";
import { sql } from "kysely";
import type { Reader, Store } from "~/backend/store/store.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland, systemClock } from "~/platform/time.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { StaffSource } from "~/backend/audit/audit-event.server";
import { ArchivesChanged, countInArchives, eraseFromArchives } from "~/backend/audit/erase-events.server";
import { chooseCustomer, type CustomerChoice, withCustomer } from "./kit/choose-customer.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  report,
  type Say,
  withProgress,
} from "./kit/command.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";
import { withDatabase } from "~/backend/store/portal-database.server";
import { erase, type Erasure, planErasure } from "~/backend/personal-data/erasure.server";
import { findPerson, type Person } from "~/backend/personal-data/person.server";

const RETRY_MS = 50;
const GIVE_UP_MS = 10_000;

/**
 * Runs work, and leaves no deleted data in SQLite's files: the file is written again, since pages that a portal has split
 * keep old copies of rows, and the log is emptied. On PostgreSQL the server's `vacuum` does that in due course.
 * @returns the result of the work, and whether the log could be emptied, which readers can prevent
 */
export async function scrubbing<Value>(
  store: Store,
  work: () => Promise<Value>,
): Promise<{ readonly value: Value; readonly isScrubbed: boolean }> {
  if (store.read.isPostgres) return { value: await work(), isScrubbed: true };
  const value = await work();
  await sql`vacuum`.execute(store.read);
  const giveUpAt = performance.now() + GIVE_UP_MS;
  while (!(await emptiedLog(store))) {
    if (performance.now() > giveUpAt) return { value, isScrubbed: false };
    await wait(RETRY_MS);
  }
  return { value, isScrubbed: true };
}

async function emptiedLog(store: Store): Promise<boolean> {
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(store.read);
  return rows[0]?.busy === 0;
}

/** `erase`. */
export const addErase: AddCommands = (program, runs) => {
  withOperatorAct(withCustomer(program.command("erase")))
    .description("erase a person's data (GDPR, article 17); without --yes, say what that would erase")
    .option("--yes", "erase it: there is no way back")
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys"], erasePerson));
};

interface EraseOptions extends CustomerChoice, OperatorAct {
  readonly yes?: true;
  readonly json?: true;
}

async function erasePerson(output: Output, options: EraseOptions): Promise<ExitCode> {
  const source = auditSource(options);
  return withDatabase("owner", async (store, keyring) => {
    const chosen = await chooseCustomer(store.read, keyring, options, output.input);
    const person = await findPerson(store.read, keyring, chosen);
    if (options.yes) return eraseAndReport(output, options, { store, keyring, person, source });
    const plan = await withProgress(output.terminal, (say) => planEverywhere(store.read, person, say));
    report(output, options.json, { done: false, ...plan }, ["Nothing was changed: add --yes to erase it"]);
    return EXIT.done;
  });
}

/** Plenty: only one month is archived per month. */
const MOST_TRIES = 5;

interface Erasing {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly person: Person;
  readonly source: StaffSource;
}

async function eraseAndReport(output: Output, { json }: EraseOptions, erasing: Erasing): Promise<ExitCode> {
  const { value: erasure, isScrubbed } = await withProgress(output.terminal, (say) =>
    scrubbing(erasing.store, () => eraseEverywhere(erasing, say)),
  );
  report(output, json, { done: true, isScrubbed, ...erasure }, [
    ...(isScrubbed ? [] : ["The database's log still holds it until the portal is restarted"]),
    "Backups from before still hold all of it: delete them after 35 days at the latest (docs/operations/retention.md)",
  ]);
  return EXIT.done;
}

async function planEverywhere(reader: Reader, person: Person, say: Say): Promise<Erasure> {
  const plan = await planErasure(reader, person, isoDayInPoland(systemClock()));
  const { folder } = auditSettings(environment());
  const archived = await countInArchives(reader, folder, { of: person, onArchive: saysMonth(say) });
  return { ...plan, tombstones: plan.tombstones + archived };
}

/** Erases the archives first: if that is interrupted, the next run still knows which events are the person's. */
async function eraseEverywhere({ store, keyring, person, source }: Erasing, say: Say): Promise<Erasure> {
  const folder = auditSettings(environment()).folder;
  const { customerId } = person;
  const onArchive = saysMonth(say);
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
      say("erasing from the database");
      const erasing = { customerId, today: isoDayInPoland(now), now, source, searched: searched.files };
      const erasure = await store.write((tx) => erase(tx, keyring, erasing));
      if (!erasure) throw new UsageError("no such customer");
      return { ...erasure, tombstones: erasure.tombstones + archived };
    } catch (error) {
      if (!(error instanceof ArchivesChanged) || tries === MOST_TRIES) throw error;
    }
  }
}

function saysMonth(say: Say): (month: string) => void {
  return (month) => {
    say(`searching the audit of ${month}`);
  };
}
