import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Keyring } from "./keyring.server";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Where a value is stored. The place is authenticated too, so a value moved to another row doesn't decrypt (S82). */
export interface Place {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** Encrypts text for one place in the store: `<key version>.<nonce, ciphertext and tag in base64url>`. */
export function seal(keyring: Keyring, place: Place, text: string): string {
  const version = keyring.current;
  const sealed = encrypt(
    keyring.key("data", version),
    associatedData(place, version),
    Buffer.from(text, "utf8"),
  );
  return `${version}.${sealed.toString("base64url")}`;
}

/** Decrypts the output of `seal`. @throws Error if the value was changed or moved, or its key is not in the keyring */
export function open(keyring: Keyring, place: Place, sealed: string): string {
  const version = versionOf(sealed);
  const bytes = Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url");
  return decrypt(keyring.key("data", version), associatedData(place, version), bytes).toString("utf8");
}

/** The key version of a sealed value or a blind index. */
export function versionOf(sealed: string): number {
  return Number(sealed.slice(0, sealed.indexOf(".")));
}

/** AES-256-GCM with a random nonce: nonce, ciphertext, tag. */
export function encrypt(key: Buffer, associated: string, plain: Buffer): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(associated, "utf8"));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** Reverses `encrypt`. @throws Error if the key, the associated data or any byte differs */
export function decrypt(key: Buffer, associated: string, sealed: Buffer): Buffer {
  const nonce = sealed.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(associated, "utf8"));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

function associatedData({ table, column, row }: Place, version: number): string {
  return `${table}|${column}|${row}|${version}`;
}
