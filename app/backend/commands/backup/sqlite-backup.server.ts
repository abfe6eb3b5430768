import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { StartRefusal } from "../../start-refusal.server";
import { DATABASE_FILE, makeFile, tryLock } from "../../store/data-directory.server";
import { copyDatabase, deleteDatabase, problemOf } from "./database-copy.server";

/**
 * Copies the database while the portal runs, checks the copy and passes it to `take`. The copy is made beside the
 * database and is deleted before it is read through its open handle: so nothing readable is ever elsewhere, and the
 * next run deletes what an interrupted one leaves.
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
