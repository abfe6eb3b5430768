import { statSync } from "node:fs";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import type { Decrypter } from "age-encryption";
import { auditSettings } from "~/platform/config/audit-settings.server";
import { environment } from "~/platform/config/environment.server";
import { StartRefusal, UsageError } from "~/platform/lifecycle/operator-errors.server";
import { sameHash } from "../secrets/keyring.server";
import { portalDatabase, portalKeyring } from "../store/portal-database.server";
import { decryptFrom, readIdentities } from "./age-files.server";
import { type Origin, originOf } from "./backup-mac.server";
import { type ArchivesBack, bringArchivesBack } from "./kept-archives.server";
import { restorePostgres } from "./restore-postgres.server";
import { restoreSqlite } from "./restore-sqlite.server";
import type { Revocation, RevokedCounts } from "./revoke-after-restore.server";

/** A backup to restore. */
export interface BackupFile {
  /** The path of the backup. */
  readonly input: string;
  /** The path of the private key that opens it. */
  readonly identity: string;
  /** Restore it even if its MAC is missing or wrong: anyone may have made it. */
  readonly acceptUnproven: boolean;
}

/** The outcome of a restore. */
export interface Restored {
  /** When the backup was begun; undefined if it is not proven. */
  readonly madeAt: Date | undefined;
  readonly revoked: RevokedCounts;
  /** The file with the database that was replaced; SQLite only. */
  readonly kept: string | undefined;
  /** Archives of the audit that were restored to their folder, or couldn't be. */
  readonly archives: ArchivesBack;
  /** Why the backup is not proven to be this portal's, if it was accepted nevertheless. */
  readonly accepted: string | undefined;
}

/**
 * Restores a backup and revokes its live state. On SQLite it replaces the database; on PostgreSQL the database must be
 * empty. No portal may be running.
 * @throws UsageError, UnreadableBackup, StartRefusal
 */
export async function restore(
  { input, identity, acceptUnproven }: BackupFile,
  revocation: Omit<Revocation, "accepted">,
): Promise<Restored> {
  if (!statSync(input, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`--input: ${input} is not a file`);
  const decrypter = await readIdentities(identity);
  const database = portalDatabase();
  const origin = await originOf(input, portalKeyring());
  if (origin.kind === "unproven" && !acceptUnproven)
    throw new StartRefusal(
      `${input} is not proven to be this portal's backup: ${origin.problem}; --accept-unproven takes the risk`,
    );
  const accepted = origin.kind === "unproven" ? origin.problem : undefined;
  const open = () => openBackup(input, decrypter, origin);
  const { revoked, archives, kept } =
    database.kind === "sqlite"
      ? await restoreSqlite(input, await open(), { ...revocation, accepted })
      : await restorePostgres(database, input, open, { ...revocation, accepted });
  const { folder } = auditSettings(environment());
  const back = await bringArchivesBack(archives, dirname(input), folder, decrypter);
  const madeAt = origin.kind === "own" ? new Date(origin.madeAt) : undefined;
  return { madeAt, revoked, kept, archives: back, accepted };
}

/** Opens a backup. Its stream fails at the end if the file is no longer the file that was checked. */
export function openBackup(input: string, decrypter: Decrypter, origin: Origin): Promise<Readable> {
  if (origin.kind === "unproven") return decryptFrom(input, decrypter);
  const hash = origin.hash();
  return decryptFrom(input, decrypter, {
    hash,
    isWhole: () => sameHash(hash.digest("base64url"), origin.mac),
  });
}
