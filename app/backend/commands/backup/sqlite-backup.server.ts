import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { StartRefusal } from "../../start-refusal.server";
import { DATABASE_FILE, makeFile, tryLock } from "../../store/data-directory.server";
import { copyDatabase, deleteDatabase, problemOf } from "./database-copy.server";

/**
 * Copies the database while the portal runs, checks the copy and gives it out. The copy stands beside the database, for
 * its owner only as well, and loses its name before it is read: an interruption leaves nothing readable elsewhere, and
 * what it leaves here the next run deletes.
 * @throws StartRefusal if there is no database, or another process is copying it
 */
export async function copySqlite(
  dataDir: string,
  onProgress: (text: string) => void,
  take: (copy: Readable) => Promise<void>,
): Promise<void> {
  const file = join(dataDir, DATABASE_FILE);
  if (!existsSync(file)) throw new StartRefusal(`${dataDir} holds no database`);
  const lock = join(dataDir, "backup.lock");
  makeFile(lock);
  const release = tryLock(lock);
  if (!release) throw new StartRefusal(`another backup of ${file} is being made`);
  const copy = `${file}.backing-up`;
  try {
    await copyDatabase(file, copy, ({ pages, total }) => onProgress(`${pages} of ${total} pages`));
    const problem = await problemOf(copy);
    if (problem !== undefined) throw new Error(`the copy of ${file} is useless: ${problem}`);
    const handle = await open(copy);
    deleteDatabase(copy);
    await take(handle.createReadStream({ autoClose: false })).finally(() => handle.close());
  } finally {
    deleteDatabase(copy);
    release();
  }
}
