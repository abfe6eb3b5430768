import { systemClock } from "~/platform/time.server";
import { maySeal, sealEvents } from "~/backend/audit/seal-events.server";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { type AddCommands, type ExitCode, onceOrEvery, type Output, report } from "./kit/command.server";
import { readCount } from "./kit/operator-act.server";
import { withDatabase } from "~/backend/store/portal-database.server";

/** `seal-audit`: for a job whose role can do nothing else (S95). */
export const addSealAudit: AddCommands = (program, runs) => {
  program
    .command("seal-audit")
    .description("seal the new events of the audit; a job for a PostgreSQL role that can do nothing else")
    .option("--every <seconds>", "go on, with this pause, until interrupted", readCount)
    .option("--json", "print the count as JSON")
    .action(runs(["database", "keys"], seal));
};

function seal(
  output: Output,
  { every, json }: { readonly every?: number; readonly json?: true },
): Promise<ExitCode> {
  return withDatabase("auditor", async (store, keyring) => {
    if (!(await maySeal(store.read)))
      throw new StartRefusal(
        "this role may not seal the audit: name it in AUDIT_DATABASE_ROLE, and run portal migrate",
      );
    const sealOnce = async () => {
      const events = await sealEvents(store, keyring, systemClock);
      if (every === undefined || events > 0) report(output, json, { sealed: events });
    };
    // If a round fails, events wait for the next one. `doctor` notices if rounds keep failing.
    return onceOrEvery(output, every, "not sealed", sealOnce);
  });
}
