import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import type { Decrypter } from "age-encryption";
import { sameHash } from "~/backend/secrets/keyring.server";
import { StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { auditSource, type OperatorAct, withOperatorAct } from "./kit/operator-act.server";
import { portalDatabase, portalKeyring, withDatabase } from "~/backend/store/portal-database.server";
import { decryptFrom, readIdentities } from "~/backend/backup/age-files.server";
import { type Origin, originOf } from "~/backend/backup/backup-mac.server";
import { type Ended, endEverything, type Ending } from "~/backend/backup/revoke-after-restore.server";
import { bringArchivesBack } from "~/backend/backup/kept-archives.server";
import { restorePostgres } from "~/backend/backup/restore-postgres.server";
import { restoreSqlite } from "~/backend/backup/restore-sqlite.server";

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
    .action(runs(["database", "keys"], restore));
};

interface RestoreOptions extends OperatorAct {
  readonly input?: string | undefined;
  readonly identity?: string | undefined;
  readonly afterRestore?: true;
  readonly endRecoveryCodes?: true;
  readonly acceptUnproven?: true;
  readonly json?: true;
}

async function restore(
  output: Output,
  { input, identity, afterRestore, ...options }: RestoreOptions,
): Promise<ExitCode> {
  const recoveryCodes = options.endRecoveryCodes === true;
  const ending = { source: auditSource(options), now: systemClock(), recoveryCodes };
  if ((input === undefined) === (afterRestore === undefined))
    throw new UsageError("expected one of --input and --after-restore");
  if ((input === undefined) !== (identity === undefined))
    throw new UsageError("expected --identity with --input, the file with the private key");
  if (input === undefined || identity === undefined) return endAfterRestore(output, options, ending);

  if (!statSync(input, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--input: ${input} is not a file`);
  const decrypter = await readIdentities(identity);
  const database = portalDatabase();
  const origin = await originOf(input, portalKeyring());
  if (origin.kind === "unproven" && options.acceptUnproven !== true)
    throw new StartRefusal(
      `${input} is not proven to be this portal's backup: ${origin.problem}; --accept-unproven takes the risk`,
    );
  const accepted = origin.kind === "unproven" ? origin.problem : undefined;
  const open = () => openBackup(input, decrypter, origin);
  const { ended, archives, kept } =
    database.kind === "sqlite"
      ? await restoreSqlite(input, await open(), { ...ending, accepted })
      : await restorePostgres(database, input, open, { ...ending, accepted });
  const folder = auditSettings(environment()).folder;
  const back = await bringArchivesBack(archives, dirname(input), folder, decrypter);
  const madeAt = origin.kind === "own" ? new Date(origin.madeAt) : undefined;
  report(output, options.json, { madeAt, ended, ...(kept !== undefined && { kept }), archives: back }, [
    ...(accepted === undefined ? [] : [`You accepted this backup although ${accepted}`]),
    ...notesOf(ended),
    ...(kept === undefined ? [] : [`${kept} is the database from before: delete it when it is not needed`]),
  ]);
  return back.missing.length === 0 && back.problem === undefined ? EXIT.done : EXIT.problem;
}

/** Opens a backup. Its stream fails at the end if the file is no longer the one that was checked. */
export function openBackup(input: string, decrypter: Decrypter, origin: Origin): Promise<Readable> {
  if (origin.kind === "unproven") return decryptFrom(input, decrypter);
  const hash = origin.hash();
  return decryptFrom(input, decrypter, {
    hash,
    isWhole: () => sameHash(hash.digest("base64url"), origin.mac),
  });
}

async function endAfterRestore(output: Output, { json }: RestoreOptions, ending: Ending): Promise<ExitCode> {
  const ended = await withDatabase("owner", (store) => endEverything(store, ending));
  report(output, json, { ended }, notesOf(ended));
  return EXIT.done;
}

const END_RECOVERY_CODES =
  "portal restore --after-restore --end-recovery-codes, with --operator and --reason";

/** What a restore brings back and nobody may want. */
function notesOf(ended: Ended): readonly string[] {
  return [
    "Passwords are those of the backup, and people who were erased since are back: erase them again",
    "Second factors are those of the backup, too: apps and passkeys that were removed since work again",
    ...(ended.recovery_codes === undefined
      ? [`Recovery codes that were replaced since work again; to end all of them: ${END_RECOVERY_CODES}`]
      : []),
  ];
}
