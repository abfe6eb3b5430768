import { requireSealingRole, sealAudit, withDatabase } from "~/backend/index.server";
import { type AddCommands, type ExitCode, type Output, report, runOnceOrRepeat } from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";

/** `seal-audit`: for a job whose role can do nothing else (S95). */
export const addSealAudit: AddCommands = (program, runs) => {
  program
    .command("seal-audit")
    .description("seal the new events of the audit; a job for a PostgreSQL role that can do nothing else")
    .option("--every <seconds>", "go on, with this pause, until interrupted", readCount)
    .option("--json", "print the count as JSON")
    .action(runs(["database", "keys"], sealAndReport));
};

function sealAndReport(
  output: Output,
  { every, json }: { readonly every?: number; readonly json?: true },
): Promise<ExitCode> {
  return withDatabase("auditor", async (store, keyring) => {
    await requireSealingRole(store);
    const run = async () => {
      const events = await sealAudit(store, keyring);
      if (every === undefined || events > 0) report(output, json, { sealed: events });
    };
    // If a run fails, events wait for the next run. `doctor` notices if runs keep failing.
    return runOnceOrRepeat(output, { every, failureText: "not sealed", run });
  });
}
