import { Option } from "@commander-js/extra-typings";
import { checkMigrations, migrateDatabase, rehearseMigrations } from "~/backend/index.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  report,
  withProgress,
} from "./kit/command.server";

interface Options {
  readonly check?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** `migrate`. On SQLite, a portal does the same when it starts; in the demo both make its keys. */
export const addMigrate: AddCommands = (program, runs) => {
  program
    .command("migrate")
    .description("bring the tables up to date as their owner; on SQLite a portal does so when it starts")
    .addOption(
      new Option(
        "--check",
        "change nothing; say which migrations are missing and whether the present release can serve after them, and exit with 1 if some are; list policy numbers that differ only in spaces and hyphens",
      ).conflicts("dryRun"),
    )
    .option("--dry-run", "run the migrations and take them back; portals wait meanwhile")
    .option("--json", "print the names as JSON")
    .action(runs(["database", "keys if set"], migrateAndReport));
};

async function migrateAndReport(output: Output, { check, dryRun, json }: Options): Promise<ExitCode> {
  if (check) return reportMissing(output, json);
  if (dryRun) report(output, json, { wouldRun: await withProgress(output.terminal, rehearseMigrations) });
  else report(output, json, { ran: await withProgress(output.terminal, migrateDatabase) });
  return EXIT.done;
}

async function reportMissing(output: Output, json: true | undefined): Promise<ExitCode> {
  const found = await checkMigrations();
  if (!found) {
    report(output, json, { database: false });
    return EXIT.problem;
  }
  const { missing, presentReleaseCanServe, equalPolicyNos } = found;
  const facts = {
    database: true,
    missing,
    ...(presentReleaseCanServe !== undefined && { presentReleaseCanServe }),
    equalPolicyNos,
  };
  const onlyRestore = presentReleaseCanServe === false;
  report(output, json, facts, onlyRestore ? ["After these the only way back is a restore"] : []);
  return missing.length > 0 ? EXIT.problem : EXIT.done;
}
