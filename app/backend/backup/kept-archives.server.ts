import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Decrypter, Encrypter } from "age-encryption";
import { isMissing, syncPath } from "~/platform/files/durable-files.server";
import { DRAFT, isArchiveName } from "../audit/archives.server";
import { reasonOf } from "~/platform/lifecycle/operator-errors.server";
import { decryptFrom, encryptTo, UnreadableBackup } from "./age-files.server";
import { ENCRYPTED } from "./backup-folder.server";

/** The folders between which archives are copied, the encryption, and the time of the backup. */
export interface Keeping {
  /** The folder of archives. */
  readonly archives: string;
  /** The folder of backups. */
  readonly folder: string;
  readonly encrypter: Encrypter;
  /** When the backup was begun, in ms. */
  readonly now: number;
}

/** The archives that belong to a backup. */
export interface KeptArchives {
  /** Archives with a copy among the backups. */
  readonly kept: readonly string[];
  /** Archives that the database names, but that are in neither folder. */
  readonly missing: readonly string[];
}

/**
 * Copies archived months of the audit to the folder of backups, encrypted. An archive never changes, so each is copied
 * once. The copy's modification time becomes that of the last backup that needed it, even if the archive itself is
 * gone.
 * @param named the names in the database
 */
export async function keepArchives(keeping: Keeping, named: readonly string[]): Promise<KeptArchives> {
  const there = await readdir(keeping.archives).catch(noneIfMissing);
  // A name from the database must not lead outside the folder.
  const names = [...new Set([...there, ...named])].filter(isArchiveName);
  const kept: string[] = [];
  for (const name of names) if (await keepArchive(keeping, name)) kept.push(name);
  if (kept.length > 0) syncPath(keeping.folder);
  return { kept, missing: named.filter((name) => !kept.includes(name)) };
}

/** @returns whether there is a copy now */
async function keepArchive({ archives, folder, encrypter, now }: Keeping, name: string): Promise<boolean> {
  const copy = join(folder, `${name}${ENCRYPTED}`);
  if (!existsSync(copy)) {
    const draft = `${copy}${DRAFT}`;
    try {
      await encryptTo(draft, encrypter, createReadStream(join(archives, name)));
      await rename(draft, copy);
    } catch (error) {
      await rm(draft, { force: true });
      // An erasure may replace an archive at any time. The copies made before and after cover both files' events.
      if (isMissing(error)) return false;
      throw error;
    }
  }
  await utimes(copy, now / 1000, now / 1000);
  return true;
}

/** The outcome of bringing back the archives that a restored database names and that were not in their folder. */
export interface ArchivesBack {
  readonly restored: readonly string[];
  /** Not brought back; unless there is a `problem`, because no backup of them opens. */
  readonly missing: readonly string[];
  /** Why archives couldn't be written. */
  readonly problem?: string;
}

/**
 * Brings back the archives that are missing from their folder, and leaves the others alone. Never throws, because the
 * database is already restored by then.
 * @param needed the names in the restored database
 */
export async function bringArchivesBack(
  needed: readonly string[],
  folder: string,
  archives: string,
  decrypter: Decrypter,
): Promise<ArchivesBack> {
  // A name from the database must not lead outside the folder.
  const absent = needed.filter((name) => isArchiveName(name) && !existsSync(join(archives, name)));
  const restored: string[] = [];
  const notBack = () => absent.filter((name) => !restored.includes(name));
  try {
    if (absent.length > 0) await mkdir(archives, { recursive: true, mode: 0o700 });
    for (const name of absent)
      if (await bringBack(join(folder, `${name}${ENCRYPTED}`), join(archives, name), decrypter))
        restored.push(name);
    if (restored.length > 0) syncPath(archives);
    return { restored, missing: notBack() };
  } catch (error) {
    return { restored, missing: notBack(), problem: reasonOf(error) };
  }
}

/** @returns false if the backup can't be read: a restored database is worth having without it */
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
