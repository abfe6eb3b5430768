import { restore, revokeAfterRestore } from "~/backend/index.server";
import type { Restored, Revocation, RevokedCounts } from "~/backend/types";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { systemClock } from "~/platform/time.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";

/** `restore`. */
export const addRestore: AddCommands = (program, runs) => {
  withOperatorAct(program.command("restore"))
    .description("restore a backup, and end all sessions, devices and codes; no portal may be running")
    .option(
      "--input <file>",
      "the backup: on SQLite it replaces the database, on PostgreSQL it goes to an empty one",
    )
    .option("--identity <file>", "the private key that opens it")
    .option("--after-restore", "only end everything: the database was restored with other tools")
    .option("--end-recovery-codes", "end all recovery codes, too: replaced ones would work again")
    .option("--accept-unproven", "restore it although its MAC is missing or wrong: anyone may have made it")
    .option("--json", "print what was ended as JSON")
    .action(runs(["database", "keys"], restoreAndReport));
};

interface RestoreOptions extends OperatorAct {
  readonly input?: string | undefined;
  readonly identity?: string | undefined;
  readonly afterRestore?: true;
  readonly endRecoveryCodes?: true;
  readonly acceptUnproven?: true;
  readonly json?: true;
}

async function restoreAndReport(output: Output, options: RestoreOptions): Promise<ExitCode> {
  const { input, identity, afterRestore, json } = options;
  const recoveryCodes = options.endRecoveryCodes === true;
  const revocation: Revocation = { source: auditSource(options), now: systemClock(), recoveryCodes };
  if ((input === undefined) === (afterRestore === undefined))
    throw new UsageError("expected one of --input and --after-restore");
  if ((input === undefined) !== (identity === undefined))
    throw new UsageError("expected --identity with --input, the file with the private key");
  if (input === undefined || identity === undefined) {
    const revoked = await revokeAfterRestore(revocation);
    report(output, json, { ended: revoked }, notesOn(revoked));
    return EXIT.done;
  }
  const acceptUnproven = options.acceptUnproven === true;
  return reportRestored(output, json, await restore({ input, identity, acceptUnproven }, revocation));
}

function reportRestored(output: Output, json: true | undefined, restored: Restored): ExitCode {
  const { madeAt, revoked, kept, archives, accepted } = restored;
  const facts = { madeAt, ended: revoked, ...(kept !== undefined && { kept }), archives };
  report(output, json, facts, [
    ...(accepted === undefined ? [] : [`You accepted this backup although ${accepted}`]),
    ...notesOn(revoked),
    ...(kept === undefined ? [] : [`${kept} is the database from before: delete it when it is not needed`]),
  ]);
  return archives.missing.length === 0 && archives.problem === undefined ? EXIT.done : EXIT.problem;
}

const END_RECOVERY_CODES =
  "portal restore --after-restore --end-recovery-codes, with --operator and --reason";

/** What a restore doesn't revoke, for the operator to consider. */
function notesOn(revoked: RevokedCounts): readonly string[] {
  return [
    "Passwords are those of the backup, and people who were erased since are back: erase them again",
    "Second factors are those of the backup, too: apps and passkeys that were removed since work again",
    ...(revoked.recovery_codes === undefined
      ? [`Recovery codes that were replaced since work again; to end all of them: ${END_RECOVERY_CODES}`]
      : []),
  ];
}
