import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Decrypter, Encrypter } from "age-encryption";
import { isMissing, syncPath } from "../../durable-files.server";
import { isArchiveName } from "../../services/audit/archive-files.server";
import { DRAFT } from "./backup-folder.server";
import { decryptFrom, encryptTo, UnreadableBackup } from "./age-files.server";

const ENCRYPTED = ".age";

/**
 * Copies archived months of the audit to the folder of backups, encrypted. An archive never changes, so each is copied
 * once; a copy is marked with the time of the last backup that needed it.
 * @returns the names of the archives
 */
export async function keepArchives(
  archives: string,
  folder: string,
  encrypter: Encrypter,
  now: number,
): Promise<readonly string[]> {
  const names = (await readdir(archives).catch(noneIfMissing)).filter(isArchiveName);
  for (const name of names)
    await keepArchive(join(archives, name), join(folder, `${name}${ENCRYPTED}`), encrypter, now);
  if (names.length > 0) syncPath(folder);
  return names;
}

async function keepArchive(archive: string, copy: string, encrypter: Encrypter, now: number): Promise<void> {
  if (!existsSync(copy)) {
    const draft = `${copy}${DRAFT}`;
    try {
      await encryptTo(draft, encrypter, createReadStream(archive));
      await rename(draft, copy);
    } catch (error) {
      await rm(draft, { force: true });
      // Erasing a person replaces an archive at any time; the copies before and after have both files' events.
      if (isMissing(error)) return;
      throw error;
    }
  }
  await utimes(copy, now / 1000, now / 1000);
}

/** What became of the archives that a restored database names and that were not in their folder. */
export interface ArchivesBack {
  readonly restored: readonly string[];
  /** Among the backups there is none that opens. */
  readonly missing: readonly string[];
}

/**
 * Brings back the archives that are missing in their folder. What is there stays.
 * @param needed the names in the restored database
 */
export async function bringArchivesBack(
  needed: readonly string[],
  folder: string,
  archives: string,
  decrypter: Decrypter,
): Promise<ArchivesBack> {
  // A name from a database must not lead elsewhere.
  const absent = needed.filter((name) => isArchiveName(name) && !existsSync(join(archives, name)));
  const [restored, missing]: [string[], string[]] = [[], []];
  if (absent.length > 0) await mkdir(archives, { recursive: true, mode: 0o700 });
  for (const name of absent) {
    const isBack = await bringBack(join(folder, `${name}${ENCRYPTED}`), join(archives, name), decrypter);
    (isBack ? restored : missing).push(name);
  }
  if (restored.length > 0) syncPath(archives);
  return { restored, missing };
}

/** @returns whether it is back: a restored database is worth having without it */
async function bringBack(copy: string, archive: string, decrypter: Decrypter): Promise<boolean> {
  const draft = `${archive}${DRAFT}`;
  try {
    await pipeline(
      await decryptFrom(copy, decrypter),
      createWriteStream(draft, { mode: 0o600, flush: true }),
    );
    await rename(draft, archive);
    return true;
  } catch (error) {
    if (error instanceof UnreadableBackup || isMissing(error)) return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

function noneIfMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}
