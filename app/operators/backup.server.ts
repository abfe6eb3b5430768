import { backUp, planBackup, untilDue } from "~/backend/index.server";
import type { BackupPlan } from "~/backend/types";
import { replaceControls } from "~/platform/terminal-text";
import { HOUR, SECOND } from "~/platform/time.server";
import {
  type AddCommands,
  EXIT,
  type ExitCode,
  type Output,
  repeatUntilSignal,
  report,
  withProgress,
} from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";

/** `backup`. */
export const addBackup: AddCommands = (program, runs) => {
  program
    .command("backup")
    .description(
      "back up the database and the archives of the audit to BACKUP_DIR, encrypted; portals may run",
    )
    .option("--every <seconds>", "go on, until interrupted: make one when the newest is this old", readCount)
    .option("--json", "print what was done as JSON")
    .action(runs(["database", "backups", "keys if set"], backUpAndReport));
};

interface BackupOptions {
  readonly every?: number;
  readonly json?: true;
}

const KEYS_ELSEWHERE =
  "It doesn't hold the keys (DATA_KEYS, or keys.json of a demo), without which it is worthless: keep them elsewhere";

async function backUpAndReport(output: Output, { every, json }: BackupOptions): Promise<ExitCode> {
  const plan = await planBackup();
  if (every === undefined) return backUpOnce(output, json, plan);
  const maxAgeMs = every * SECOND;
  const run = async () => {
    if (untilDue(plan, maxAgeMs) <= 0) await backUpOnce(output, json, plan);
    return Math.min(untilDue(plan, maxAgeMs), HOUR);
  };
  return repeatUntilSignal(output, {
    failureText: "not backed up",
    run,
    pauseAfterFailureMs: Math.min(maxAgeMs, HOUR),
  });
}

async function backUpOnce(output: Output, json: true | undefined, plan: BackupPlan): Promise<ExitCode> {
  const { problems, ...made } = await withProgress(output.terminal, (say) => backUp(plan, say));
  report(output, json, made, [KEYS_ELSEWHERE]);
  for (const problem of problems) output.printError(`portal: ${replaceControls(problem)}`);
  return problems.length === 0 ? EXIT.done : EXIT.problem;
}
