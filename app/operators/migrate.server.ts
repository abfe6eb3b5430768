import { Option } from "@commander-js/extra-typings";
import { environment } from "~/platform/config/environment.server";
import { isExpansion, MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { tableUpkeep, type TableUpkeep } from "~/backend/store/table-upkeep.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  report,
  withProgress,
} from "./kit/command.server";
import { makeDemoKeys, portalDatabase } from "~/backend/store/portal-database.server";

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

function migrateAndReport(output: Output, { check, dryRun, json }: Options): Promise<ExitCode> {
  const upkeep = tableUpkeep(portalDatabase(), environment().DATA_DIR);
  if (check) return reportMissing(output, json, upkeep);
  return dryRun ? reportRehearsal(output, json, upkeep) : reportRun(output, json, upkeep);
}

async function reportMissing(output: Output, json: true | undefined, upkeep: TableUpkeep): Promise<ExitCode> {
  const missing = await upkeep.missing();
  if (missing === undefined) {
    report(output, json, { database: false });
    return EXIT.problem;
  }
  const hasTables = missing.length < MIGRATION_NAMES.length;
  const equal = hasTables ? await upkeep.equalPolicyNos() : [];
  const presentReleaseCanServe = hasTables && missing.length > 0 ? isExpansion(missing) : undefined;
  report(
    output,
    json,
    {
      ...{ database: true, missing },
      ...(presentReleaseCanServe !== undefined && { presentReleaseCanServe }),
      equalPolicyNos: equal,
    },
    presentReleaseCanServe === false ? ["After these the only way back is a restore"] : [],
  );
  return missing.length > 0 ? EXIT.problem : EXIT.done;
}

async function reportRehearsal(
  output: Output,
  json: true | undefined,
  upkeep: TableUpkeep,
): Promise<ExitCode> {
  const wouldRun = await withProgress(output.terminal, async (say) => {
    say(`rehearsing ${await missingOf(upkeep)}`);
    return upkeep.rehearse();
  });
  report(output, json, { wouldRun });
  return EXIT.done;
}

async function reportRun(output: Output, json: true | undefined, upkeep: TableUpkeep): Promise<ExitCode> {
  const ran = await withProgress(output.terminal, async (say) => {
    say(`running ${await missingOf(upkeep)}`);
    return upkeep.run();
  });
  await makeDemoKeys();
  report(output, json, { ran });
  return EXIT.done;
}

async function missingOf(upkeep: TableUpkeep): Promise<string> {
  return ((await upkeep.missing()) ?? []).join(", ");
}
