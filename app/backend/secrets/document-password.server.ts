import { type Keyring, decrypt, encrypt } from "./keyring.server";
import {
  type KeyPlace,
  type WrappedKey,
  newDataKey,
  rewrapDataKey,
  unwrapDataKey,
  wrapDataKey,
} from "./data-key.server";

/**
 * A stored document password: encrypted with its own data key, which is wrapped by a versioned key (S82). It is
 * encrypted rather than hashed because documents are encrypted with it.
 */
interface SealedDocumentPassword extends WrappedKey {
  readonly sealed: string;
}

/** Encrypts a document password for one account. */
export function sealDocumentPassword(
  keyring: Keyring,
  accountId: string,
  password: string,
): SealedDocumentPassword {
  const dataKey = newDataKey();
  const sealed = encrypt(dataKey, place(accountId, "password_sealed"), Buffer.from(password, "utf8"));
  return { ...wrapDataKey(keyring, keyPlace(accountId), dataKey), sealed: sealed.toString("base64url") };
}

/** Decrypts a document password. @throws Error if any part was changed or moved to another account */
export function openDocumentPassword(
  keyring: Keyring,
  accountId: string,
  kept: SealedDocumentPassword,
): string {
  const dataKey = unwrapDataKey(keyring, keyPlace(accountId), kept);
  return decrypt(
    dataKey,
    place(accountId, "password_sealed"),
    Buffer.from(kept.sealed, "base64url"),
  ).toString("utf8");
}

/** Moves a password to the current key: only the data key is wrapped again, the password itself isn't decrypted (S84). */
export function rewrapDocumentPassword(keyring: Keyring, accountId: string, kept: WrappedKey): WrappedKey {
  return rewrapDataKey(keyring, keyPlace(accountId), kept);
}

function keyPlace(accountId: string): KeyPlace {
  return { use: "document-password", name: (version) => place(accountId, `wrapped_key|${version}`) };
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function place(accountId: string, column: string): string {
  return `document_passwords|${column}|${accountId}|1`;
}
