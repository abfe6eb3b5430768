import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { encrypterFor } from "~/backend/backup/age-files.server";
import type { BackedUp } from "./backed-up";
import { opened } from "./opened";

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
