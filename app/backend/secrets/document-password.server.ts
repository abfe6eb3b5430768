import { randomBytes } from "node:crypto";
import { KEY_BYTES, type Keyring } from "./keyring.server";
import { decrypt, encrypt } from "./sealing.server";

/**
 * A stored document password: encrypted with its own data key, which is wrapped by a versioned key (S82). It is
 * encrypted rather than hashed because documents will be encrypted with it.
 */
interface SealedDocumentPassword {
  readonly keyVersion: number;
  readonly wrappedKey: string;
  readonly sealed: string;
}

/** Encrypts a document password for one account. */
export function sealDocumentPassword(
  keyring: Keyring,
  accountId: string,
  password: string,
): SealedDocumentPassword {
  const dataKey = randomBytes(KEY_BYTES);
  const sealed = encrypt(dataKey, place(accountId, "password_sealed"), Buffer.from(password, "utf8"));
  return { ...wrap(keyring, accountId, dataKey), sealed: sealed.toString("base64url") };
}

function wrap(keyring: Keyring, accountId: string, dataKey: Buffer) {
  const keyVersion = keyring.current;
  const key = keyring.key("document-password", keyVersion);
  const wrapped = encrypt(key, place(accountId, `wrapped_key|${keyVersion}`), dataKey);
  return { keyVersion, wrappedKey: wrapped.toString("base64url") };
}

/** Decrypts a document password. @throws Error if any part was changed or moved to another account */
export function openDocumentPassword(
  keyring: Keyring,
  accountId: string,
  kept: SealedDocumentPassword,
): string {
  const dataKey = unwrap(keyring, accountId, kept);
  return decrypt(
    dataKey,
    place(accountId, "password_sealed"),
    Buffer.from(kept.sealed, "base64url"),
  ).toString("utf8");
}

function unwrap(keyring: Keyring, accountId: string, kept: SealedDocumentPassword): Buffer {
  const key = keyring.key("document-password", kept.keyVersion);
  return decrypt(
    key,
    place(accountId, `wrapped_key|${kept.keyVersion}`),
    Buffer.from(kept.wrappedKey, "base64url"),
  );
}

/** Moves a password to the current key: only the data key is wrapped again, the password itself isn't decrypted (S84). */
export function rewrapDocumentPassword(
  keyring: Keyring,
  accountId: string,
  kept: SealedDocumentPassword,
): SealedDocumentPassword {
  return { ...kept, ...wrap(keyring, accountId, unwrap(keyring, accountId, kept)) };
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function place(accountId: string, column: string): string {
  return `document_passwords|${column}|${accountId}|1`;
}
