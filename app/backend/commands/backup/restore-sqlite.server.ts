import { createWriteStream } from "node:fs";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { environment } from "~/platform/config/environment.server";
import { systemClock } from "~/platform/time.server";
import { syncPath } from "../../durable-files.server";
import { archivesOf } from "../../services/audit/archives.server";
import type { AuditSource } from "../../audit-event.server";
import { holdDataDirectory } from "../../store/data-directory.server";
import { openSqliteStore } from "../../store/sqlite-store.server";
import { Nonsense } from "../kit/exit-code.server";
import { checkPortal, portalKeyring } from "../kit/portal-database.server";
import { deleteDatabase, problemOf } from "./database-copy.server";
import { endEverything, type Restored } from "./end-everything.server";
import { replaceDatabase } from "./replace-database.server";

/**
 * Restores into a draft, which then replaces the database at once: an interruption leaves one of the two.
 * @param input the backup's name, for messages
 * @throws Nonsense if it is no database of this portal; StartRefusal if the database is in use
 */
export async function restoreSqlite(input: string, backup: Readable, source: AuditSource): Promise<Restored> {
  const directory = holdDataDirectory(environment().DATA_DIR);
  const draft = `${directory.databaseFile}.restoring`;
  try {
    deleteDatabase(draft);
    await pipeline(backup, createWriteStream(draft, { mode: 0o600 }));
    const problem = await problemOf(draft);
    if (problem !== undefined) throw new Nonsense(`--input: ${input} can't be restored: ${problem}`);
    const now = systemClock();
    const restored = await endIn(draft, source, now);
    syncPath(draft);
    return { ...restored, kept: replaceDatabase(directory.databaseFile, draft, now) };
  } finally {
    deleteDatabase(draft);
    directory.release();
  }
}

async function endIn(file: string, source: AuditSource, now: number): Promise<Restored> {
  const keyring = portalKeyring();
  const store = await openSqliteStore(file);
  try {
    await checkPortal(store, keyring);
    const ended = await endEverything(store, source, now);
    return { ended, archives: (await archivesOf(store.read)).map((archive) => archive.file) };
  } finally {
    await store.close();
  }
}
