import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { noteSuccess } from "~/backend/jobs/job-successes.server";
import { purge } from "~/backend/jobs/upkeep.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import { archiveMonths, mayArchive } from "~/backend/audit/archive-months.server";
import { sealEvents } from "~/backend/audit/seal-events.server";
import { keepMonthsAhead } from "~/backend/store/postgres-migrations.server";
import type { Store } from "~/backend/store/store.server";
import {
  type AddCommands,
  type ExitCode,
  onceOrEvery,
  type Output,
  report,
  type Say,
  withProgress,
} from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";
import { withDatabase } from "~/backend/store/portal-database.server";

/** `purge`: the upkeep that portals do every few minutes, and the part of it that only the tables' owner may do. */
export const addPurge: AddCommands = (program, runs) => {
  program
    .command("purge")
    .description(
      "delete what is kept no longer, and archive old months of the audit (docs/operations/retention.md)",
    )
    .option("--every <seconds>", "go on, with this pause, until interrupted", readCount)
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys"], purgeAndReport));
};

interface Options {
  readonly every?: number;
  readonly json?: true;
}

function purgeAndReport(output: Output, { every, json }: Options): Promise<ExitCode> {
  return withDatabase("owner", (store, keyring) =>
    onceOrEvery(output, every, "not purged", () => purgeOnce(output, json, store, keyring)),
  );
}

const ONLY_OWNER = "Months of the audit are archived only as the tables' owner (MIGRATION_DATABASE_URL)";

async function purgeOnce(
  output: Output,
  json: true | undefined,
  store: Store,
  keyring: Keyring,
): Promise<void> {
  const settings = environment();
  const { deleted, archived } = await withProgress(output.terminal, async (say) => ({
    deleted: await purge(store, settings.limits, systemClock(), (table, rows) => {
      say(`${table}: ${rows.toLocaleString("en-US")} rows deleted`);
    }),
    archived: await archiveOldMonths(store, keyring, settings, say),
  }));
  if (archived) await store.write((tx) => noteSuccess(tx, "purge", systemClock()));
  const facts = { deleted: Object.fromEntries(deleted), archived: archived ?? null };
  report(output, json, facts, archived ? [] : [ONLY_OWNER]);
}

/**
 * Makes the partitions of coming months, and archives old months.
 * @returns the archived months; undefined if this role may not change the audit
 */
async function archiveOldMonths(
  store: Store,
  keyring: Keyring,
  settings: Environment,
  say: Say,
): Promise<readonly string[] | undefined> {
  if (!(await mayArchive(store.read))) return undefined;
  await keepMonthsAhead(store);
  say("sealing the audit");
  await sealEvents(store, keyring, systemClock);
  const onMonth = (month: string) => {
    say(`archiving the audit of ${month}`);
  };
  const archiving = { ...auditSettings(settings), now: systemClock(), onMonth };
  return (await archiveMonths(store, keyring, archiving)).map(({ month }) => month);
}
