import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { syncPath } from "~/platform/files/durable-files.server";
import { archivesOf } from "../audit/archives.server";
import { holdDataDirectory } from "../store/data-directory.server";
import { MIGRATION_NAMES } from "../store/migrations/run.server";
import { compareSchemas, differenceInWords } from "../store/schema/schema-objects.server";
import { migratedSqlite, schemaOfFile } from "../store/schema/sqlite-schema.server";
import { APPLICATION_ID, openSqliteStore } from "../store/sqlite-store.server";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { checkPortal, portalKeyring } from "../store/portal-database.server";
import { deleteDatabase, problemOf, replaceDatabase, restoredDraft } from "./database-copy.server";
import { revokeLiveState, type Revocation } from "./revoke-after-restore.server";
import type { RestoredDatabase } from "./restore-postgres.server";

/**
 * Restores into a draft, which then replaces the database at once: an interruption leaves one of the two.
 * @param input the backup's name, for messages
 * @throws UsageError if it is no database of this portal; StartRefusal if the database is in use
 */
export async function restoreSqlite(
  input: string,
  backup: Readable,
  revocation: Revocation,
): Promise<RestoredDatabase> {
  const directory = holdDataDirectory(environment().DATA_DIR);
  const draft = restoredDraft(directory.databaseFile);
  try {
    deleteDatabase(draft);
    await pipeline(backup, createWriteStream(draft, { mode: 0o600 }));
    // The schema first: it could make each later statement do something else.
    const problem = (await problemOfSchema(draft)) ?? (await problemOf(draft));
    if (problem !== undefined) throw new UsageError(`--input: ${input} can't be restored: ${problem}`);
    const restored = await revokeIn(draft, revocation);
    syncPath(draft);
    return { ...restored, kept: replaceDatabase(directory.databaseFile, draft, revocation.now) };
  } finally {
    deleteDatabase(draft);
    directory.release();
  }
}

/** How the schema differs from the one that its migrations make; undefined if it doesn't. */
async function problemOfSchema(draft: string): Promise<string | undefined> {
  try {
    const { applicationId, objects, migrations } = schemaOfFile(draft);
    if (applicationId !== APPLICATION_ID) return "it is not a database of the portal";
    if (migrations.length === 0) return "it has no tables";
    const difference = differenceInWords(compareSchemas(objects, await migratedSqlite(migrations)));
    const later = migrations.filter((name) => !MIGRATION_NAMES.includes(name));
    return difference !== undefined && later.length > 0
      ? `${difference}; it takes the release that has ${later.join(", ")}`
      : difference;
  } catch (error) {
    return `it is no database, or a damaged one: ${(error as Error).message}`;
  }
}

async function revokeIn(file: string, revocation: Revocation): Promise<RestoredDatabase> {
  const keyring = portalKeyring();
  const store = await openSqliteStore(file);
  try {
    await checkPortal(store, keyring);
    const revoked = await revokeLiveState(store, revocation);
    return { revoked, archives: (await archivesOf(store.read)).map((archive) => archive.file) };
  } finally {
    await store.close();
  }
}
