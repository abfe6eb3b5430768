import { randomBytes } from "node:crypto";
import { KEY_BYTES, type KeyUse, type Keyring, decrypt, encrypt } from "./keyring.server";

/**
 * A data key, wrapped by a key of the keyring. It encrypts one value; a new root key only wraps the data key again
 * (S84).
 */
export interface WrappedKey {
  readonly keyVersion: number;
  readonly wrappedKey: string;
}

/** Where a data key is kept, and for what. */
export interface KeyPlace {
  readonly use: Extract<KeyUse, "document-password" | "document">;
  /** Table, column and row of the wrapped key. Moved elsewhere, it doesn't unwrap. */
  readonly name: (version: number) => string;
}

/** A new data key: 32 random bytes. */
export function newDataKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Wraps a data key with the current key. */
export function wrapDataKey(keyring: Keyring, { use, name }: KeyPlace, dataKey: Buffer): WrappedKey {
  const keyVersion = keyring.current;
  const wrapped = encrypt(keyring.key(use, keyVersion), name(keyVersion), dataKey);
  return { keyVersion, wrappedKey: wrapped.toString("base64url") };
}

/** @throws Error if the wrapped key was changed or moved, or the key that wraps it is not in the keyring */
export function unwrapDataKey(
  keyring: Keyring,
  { use, name }: KeyPlace,
  { keyVersion, wrappedKey }: WrappedKey,
): Buffer {
  return decrypt(keyring.key(use, keyVersion), name(keyVersion), Buffer.from(wrappedKey, "base64url"));
}

/**
 * Wraps a data key with the current key; the value it encrypts stays as it is (S84). @throws Error, as `unwrapDataKey`
 */
export function rewrapDataKey(keyring: Keyring, place: KeyPlace, kept: WrappedKey): WrappedKey {
  return wrapDataKey(keyring, place, unwrapDataKey(keyring, place, kept));
}
