import { purgeDatabase, withDatabase } from "~/backend/index.server";
import type { Purged } from "~/backend/types";
import {
  type AddCommands,
  type ExitCode,
  type Output,
  report,
  runOnceOrRepeat,
  withProgress,
} from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";

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
  return withDatabase("owner", (store, keyring) => {
    const run = async () => {
      const purged = await withProgress(output.terminal, (say) => purgeDatabase(store, keyring, say));
      reportPurged(output, json, purged);
    };
    return runOnceOrRepeat(output, { every, failureText: "not purged", run });
  });
}

const ONLY_OWNER = "Months of the audit are archived only as the tables' owner (MIGRATION_DATABASE_URL)";

function reportPurged(output: Output, json: true | undefined, { deleted, archived }: Purged): void {
  const facts = { deleted: Object.fromEntries(deleted), archived: archived ?? null };
  report(output, json, facts, archived ? [] : [ONLY_OWNER]);
}
