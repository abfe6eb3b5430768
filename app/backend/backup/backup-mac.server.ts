import { createHmac } from "node:crypto";
import { createReadStream, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { isMissing } from "~/platform/files/durable-files.server";
import { KEY_FILE } from "../secrets/key-file.server";
import { type Keyring, type RootKey, sameHash } from "../secrets/keyring.server";
import { environment } from "~/platform/config/environment.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import type { Mac } from "~/platform/files/hashing.server";
import { portalKeyring } from "../store/portal-database.server";

/** The file beside a backup that shows that it is this portal's: anyone can encrypt to the public key (S157). */
export const MAC = ".mac";

const kept = z.strictObject({
  /** When the backup was begun. */
  madeAt: z.iso.datetime(),
  keyVersion: z.int().positive(),
  /** HMAC-SHA-256 over the fields above and the encrypted file, in base64url. */
  mac: z.string(),
});

/** The origin of a backup, as far as it is known before it is opened. */
export type Origin =
  | {
      readonly kind: "own";
      /** In ISO 8601. */
      readonly madeAt: string;
      /** A new hash, which ends in `mac` if it is fed the same file. */
      readonly hash: () => Mac;
      readonly mac: string;
    }
  | { readonly kind: "unproven"; readonly problem: string };

/**
 * The key of new MACs: a version of `DATA_KEYS`, and the key for backups that is derived from it.
 * @throws UsageError if there is none, or it doesn't belong to `DATA_KEYS`
 */
export function backupMacKey(): RootKey {
  const { BACKUP_MAC_KEY: given, DATA_DIR, DATA_KEYS } = environment();
  if (given === undefined && DATA_KEYS === undefined && !existsSync(join(DATA_DIR, KEY_FILE)))
    throw new UsageError("BACKUP_MAC_KEY: expected, or else DATA_KEYS; portal backup-key --mac prints it");
  if (given === undefined) return currentKey(portalKeyring());
  if (DATA_KEYS !== undefined && !isDerived(portalKeyring(), given))
    throw new UsageError(
      "BACKUP_MAC_KEY: it is not derived from DATA_KEYS: portal backup-key --mac prints it",
    );
  return given;
}

function currentKey(keyring: Keyring): RootKey {
  return { version: keyring.current, key: keyring.key("backup", keyring.current) };
}

function isDerived(keyring: Keyring, { version, key }: RootKey): boolean {
  return keyring.versions.includes(version) && keyring.key("backup", version).equals(key);
}

/** A hash for a backup that was begun at this moment (ms). */
export function newBackupMac({ key, version }: RootKey, madeAt: number): Mac {
  return begun(key, version, new Date(madeAt).toISOString());
}

/** The content of the file beside a backup. @param hash was fed the whole encrypted file */
export function macFileOf({ version }: RootKey, madeAt: number, hash: Mac): string {
  const mac = hash.digest("base64url");
  return `${JSON.stringify({ madeAt: new Date(madeAt).toISOString(), keyVersion: version, mac })}\n`;
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function begun(key: Uint8Array, version: number, madeAt: string): Mac {
  return createHmac("sha256", key).update(`${JSON.stringify(["portal backup", 1, version, madeAt])}\n`);
}

/** The version of the key that a backup's MAC was made with; undefined if it has none that can be read. */
export function macVersionOf(backup: string): number | undefined {
  return readKept(backup)?.keyVersion;
}

/** Reads a backup once, without decrypting it, and says whether this portal made it. Writes nothing. */
export async function originOf(backup: string, keyring: Keyring): Promise<Origin> {
  const unproven = (problem: string): Origin => ({ kind: "unproven", problem });
  const claimed = readKept(backup);
  if (claimed === undefined) return unproven(`${backup}${MAC} is missing or can't be read`);
  const { madeAt, keyVersion, mac } = claimed;
  if (!keyring.versions.includes(keyVersion))
    return unproven(`its MAC was made with data key ${keyVersion}, which DATA_KEYS lacks`);
  const hash = () => begun(keyring.key("backup", keyVersion), keyVersion, madeAt);
  const fed = hash();
  for await (const chunk of createReadStream(backup)) fed.update(chunk as Buffer);
  if (sameHash(fed.digest("base64url"), mac)) return { kind: "own", madeAt, hash, mac };
  return unproven("its MAC does not fit: it was changed, damaged or cut off, or another portal made it");
}

function readKept(backup: string): z.infer<typeof kept> | undefined {
  try {
    return kept.safeParse(JSON.parse(readFileSync(`${backup}${MAC}`, "utf8"))).data;
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The key of new MACs as `BACKUP_MAC_KEY` expects it, for a place that makes backups without `DATA_KEYS`. */
export function backupMacKeyText(): string {
  const { version, key } = currentKey(portalKeyring());
  return `${version}:${Buffer.from(key).toString("base64")}`;
}
