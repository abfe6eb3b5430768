import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter } from "age-encryption";
import { encrypterFor } from "~/backend/backup/age-files.server";
import type { BackedUp } from "./backed-up";

/** Decrypts a backup into a file of its own, as the key's owner could. Returns the file. */
export async function opened(backup: string, identity: string): Promise<string> {
  const [, key = ""] = (await readFile(identity, "utf8")).split("\n");
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  const file = join(mkdtempSync(join(tmpdir(), "portal-opened-")), "portal.db");
  writeFileSync(file, await decrypter.decrypt(await readFile(backup)));
  return file;
}

/**
 * Replaces a backup by one that somebody with the public key has made of it. Its MAC, which they can't make, is gone.
 * @param change changes the file in the plain
 */
export async function asSomebodyElse(
  portal: BackedUp,
  file: string,
  change: (plain: string) => void = () => undefined,
): Promise<void> {
  const plain = await opened(file, portal.identity);
  change(plain);
  const encrypter = await encrypterFor([portal.env["BACKUP_RECIPIENTS"] ?? ""]);
  writeFileSync(file, await encrypter.encrypt(readFileSync(plain)));
  rmSync(`${file}.mac`);
}
