import { Option } from "@commander-js/extra-typings";
import { environment } from "~/platform/config/environment.server";
import { isExpansion, MIGRATION_NAMES } from "~/backend/store/migrations/run.server";
import { tableUpkeep, type TableUpkeep } from "~/backend/store/table-upkeep.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  inOneLine,
  type Output,
  report,
  withProgress,
} from "../kit/command.server";
import { makeDemoKeys, portalDatabase } from "../kit/portal-database.server";

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
  const { DATA_DIR } = environment();
  const upkeep = tableUpkeep(portalDatabase(), DATA_DIR);
  if (check) return reportMissing(output, json, upkeep, DATA_DIR);
  return dryRun ? reportRehearsal(output, json, upkeep) : reportRun(output, json, upkeep);
}

async function reportMissing(
  output: Output,
  json: true | undefined,
  upkeep: TableUpkeep,
  dataDir: string,
): Promise<ExitCode> {
  const missing = await upkeep.missing();
  if (missing === undefined) {
    report(output, json, { database: false }, [`${dataDir} holds no database`]);
    return EXIT.problem;
  }
  const hasTables = missing.length < MIGRATION_NAMES.length;
  const equal = hasTables ? await upkeep.equalPolicyNos() : [];
  const isBehind = hasTables && missing.length > 0;
  const facts = {
    missing,
    ...(isBehind && { presentReleaseCanServe: isExpansion(missing) }),
    equalPolicyNos: equal,
  };
  report(output, json, { database: true, ...facts }, [
    listed("Missing", missing),
    ...(isBehind ? [wayBack(missing)] : []),
    ...equal.map((group) => `Found by the exact spelling alone: ${group.map(inOneLine).join(", ")}`),
  ]);
  return missing.length > 0 ? EXIT.problem : EXIT.done;
}

function wayBack(missing: readonly string[]): string {
  const newest = MIGRATION_NAMES.filter((name) => !missing.includes(name)).at(-1) ?? "";
  const release = `A release that knows no migration after ${newest}`;
  return isExpansion(missing)
    ? `${release} can still serve after these`
    : `${release} can't serve after these: the only way back is a restore`;
}

async function reportRehearsal(
  output: Output,
  json: true | undefined,
  upkeep: TableUpkeep,
): Promise<ExitCode> {
  const wouldRun = await withProgress(output.terminal, async (say) => {
    say(listed("Rehearsing", (await upkeep.missing()) ?? []));
    return upkeep.rehearse();
  });
  report(output, json, { wouldRun }, [listed("Would run without an error", wouldRun)]);
  return EXIT.done;
}

async function reportRun(output: Output, json: true | undefined, upkeep: TableUpkeep): Promise<ExitCode> {
  const ran = await withProgress(output.terminal, async (say) => {
    say(listed("Running", (await upkeep.missing()) ?? []));
    return upkeep.run();
  });
  await makeDemoKeys();
  report(output, json, { ran }, [listed("Ran", ran)]);
  return EXIT.done;
}

function listed(what: string, names: readonly string[]): string {
  return names.length > 0 ? `${what}: ${names.join(", ")}` : "The tables are up to date";
}
