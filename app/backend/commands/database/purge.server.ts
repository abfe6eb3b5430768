import { environment } from "~/platform/config/environment.server";
import { systemClock } from "../../clock.server";
import { purge } from "../../purge.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { report, type Output } from "../kit/output.server";
import { withPortalDatabase } from "../kit/portal-database.server";
import type { AddCommands } from "../kit/runs.server";

/** `purge`. Portals do the same every few minutes. */
export const addPurge: AddCommands = (program, runs) => {
  program
    .command("purge")
    .description(
      "delete what is kept no longer, as portals do every few minutes (docs/operations/retention.md)",
    )
    .option("--json", "print the counts as JSON")
    .action(runs(purgeAndReport));
};

async function purgeAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  const { limits } = environment();
  const deleted = await withPortalDatabase((store) => purge(store, limits, systemClock()));
  const lines = [...deleted].map(([table, rows]) => `${table}: ${rows}`);
  report(output, json, { deleted: Object.fromEntries(deleted) }, ["Rows deleted:", ...lines]);
  return EXIT.done;
}
