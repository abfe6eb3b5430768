import type { Environment } from "~/platform/config/environment.server";
import type { Clock } from "~/platform/time.server";
import { commandDatabase } from "../store/portal-database.server";
import { openAsItIs } from "../store/table-upkeep.server";
import { type CheckResult, runChecks } from "./check.server";
import { CHECKS } from "./checks.server";

/** Runs all checks of `portal doctor` that apply to the installation. Changes nothing. Never throws. */
export async function checkInstallation(
  settings: Environment,
  clock: Clock,
): Promise<readonly CheckResult[]> {
  const database = commandDatabase(settings);
  let opened: ReturnType<typeof openAsItIs> | undefined;
  const db = () => (opened ??= openAsItIs(database, settings.DATA_DIR));
  const kind = settings.BACKEND_URL === undefined ? "embedded" : "attached";
  const checks = CHECKS.filter(({ only = kind }) => only === kind);
  const results = await runChecks(checks, { settings, database, clock, db });
  await opened?.destroy();
  return results;
}
