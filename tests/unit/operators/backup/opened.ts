import { mkdtempSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Decrypter } from "age-encryption";

/** Decrypts a backup into a file of its own, as the key's owner could. Returns the file. */
export async function opened(backup: string, identity: string): Promise<string> {
  const [, key = ""] = (await readFile(identity, "utf8")).split("\n");
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  const file = join(mkdtempSync(join(tmpdir(), "portal-opened-")), "portal.db");
  writeFileSync(file, await decrypter.decrypt(await readFile(backup)));
  return file;
}
