import { randomBytes } from "node:crypto";
import { KEY_BYTES, type Keyring } from "./keyring.server";
import { decrypt, encrypt } from "./sealing.server";

/**
 * A document password as it is kept: encrypted with a data key of its own, which is wrapped by a versioned key (S82).
 * It is encrypted and not hashed, because documents will be encrypted with it.
 */
export interface SealedDocumentPassword {
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

/** Decrypts one. @throws Error when any part was changed, or moved to another account */
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

/** The same password under the current key: only its data key is wrapped anew, the password itself isn't decrypted (S84). */
export function rewrapDocumentPassword(
  keyring: Keyring,
  accountId: string,
  kept: SealedDocumentPassword,
): SealedDocumentPassword {
  return { ...kept, ...wrap(keyring, accountId, unwrap(keyring, accountId, kept)) };
}

/** Document format 1: a change of what is authenticated gets another number. */
function place(accountId: string, column: string): string {
  return `document_passwords|${column}|${accountId}|1`;
}
