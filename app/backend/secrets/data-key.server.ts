import { createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";
import {
  blindIndex,
  decrypt,
  encrypt,
  KEY_BYTES,
  type Keyring,
  type KeyUse,
  versionOf,
} from "./keyring.server";

/**
 * A data key, wrapped by a key of the keyring. It encrypts one value; a new root key only wraps the data key again
 * (S84).
 */
export interface WrappedKey {
  readonly keyVersion: number;
  readonly wrappedKey: string;
}

/** The cell of a data key in the store, and its use. */
export interface KeyCell {
  readonly use: Extract<KeyUse, "document-password" | "document">;
  /** Table, column and row of the wrapped key. Moved elsewhere, it doesn't unwrap. */
  readonly name: (version: number) => string;
}

/** A new data key: 32 random bytes. */
function newDataKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** Wraps a data key with the current key. */
function wrapDataKey(keyring: Keyring, { use, name }: KeyCell, dataKey: Buffer): WrappedKey {
  const keyVersion = keyring.current;
  const wrapped = encrypt(keyring.key(use, keyVersion), name(keyVersion), dataKey);
  return { keyVersion, wrappedKey: wrapped.toString("base64url") };
}

/** @throws Error if the wrapped key was changed or moved, or the key that wraps it is not in the keyring */
function unwrapDataKey(
  keyring: Keyring,
  { use, name }: KeyCell,
  { keyVersion, wrappedKey }: WrappedKey,
): Buffer {
  return decrypt(keyring.key(use, keyVersion), name(keyVersion), Buffer.from(wrappedKey, "base64url"));
}

/**
 * Wraps a data key with the current key; the value it encrypts stays as it is (S84). @throws Error like `unwrapDataKey`
 */
function rewrapDataKey(keyring: Keyring, cell: KeyCell, kept: WrappedKey): WrappedKey {
  return wrapDataKey(keyring, cell, unwrapDataKey(keyring, cell, kept));
}

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
  const sealed = encrypt(dataKey, passwordName(accountId, "password_sealed"), Buffer.from(password, "utf8"));
  return {
    ...wrapDataKey(keyring, passwordKeyCell(accountId), dataKey),
    sealed: sealed.toString("base64url"),
  };
}

/** Decrypts a document password. @throws Error if any part was changed or moved to another account */
export function openDocumentPassword(
  keyring: Keyring,
  accountId: string,
  kept: SealedDocumentPassword,
): string {
  const dataKey = unwrapDataKey(keyring, passwordKeyCell(accountId), kept);
  return decrypt(
    dataKey,
    passwordName(accountId, "password_sealed"),
    Buffer.from(kept.sealed, "base64url"),
  ).toString("utf8");
}

/** Moves a password to the current key: only the data key is wrapped again, the password itself isn't decrypted (S84). */
export function rewrapDocumentPassword(keyring: Keyring, accountId: string, kept: WrappedKey): WrappedKey {
  return rewrapDataKey(keyring, passwordKeyCell(accountId), kept);
}

function passwordKeyCell(accountId: string): KeyCell {
  return { use: "document-password", name: (version) => passwordName(accountId, `wrapped_key|${version}`) };
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function passwordName(accountId: string, column: string): string {
  return `document_passwords|${column}|${accountId}|1`;
}

/** A stored document: parts small enough for a statement, encrypted with the document's own data key (S82). */
interface SealedContent extends WrappedKey {
  /** Keyed hash of the whole content, to detect whether a file has changed. */
  readonly contentMac: string;
  readonly parts: readonly Buffer[];
}

/** Small enough to decrypt in a fraction of a millisecond, so that other requests hardly wait. */
const PART_BYTES = 256 * 1024;

/** Encrypts the content of one document. */
export function sealContent(keyring: Keyring, documentId: string, content: Buffer): SealedContent {
  const dataKey = newDataKey();
  const count = partCount(content.byteLength);
  const parts = Array.from({ length: count }, (_, nth) =>
    encrypt(
      dataKey,
      partName(documentId, nth, count),
      content.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
    ),
  );
  return {
    ...wrapDataKey(keyring, documentKeyCell(documentId), dataKey),
    contentMac: macOf(keyring, content, keyring.current),
    parts,
  };
}

/** The number of parts of a content with so many bytes. */
export function partCount(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / PART_BYTES));
}

/**
 * Decrypts the parts of one document, in any order.
 * @param bytes length of the whole content, so that a document with a missing part doesn't open
 * @throws Error if the key or a part was changed, moved or left out
 */
export function contentOpener(
  keyring: Keyring,
  documentId: string,
  kept: WrappedKey,
  bytes: number,
): (nth: number, sealed: Buffer) => Buffer {
  const dataKey = unwrapDataKey(keyring, documentKeyCell(documentId), kept);
  const count = partCount(bytes);
  return (nth, sealed) => decrypt(dataKey, partName(documentId, nth, count), sealed);
}

/** Whether a document's stored content equals this one. Returns false if the key it was hashed with is gone. */
export function isSameContent(keyring: Keyring, contentMac: string, content: Buffer): boolean {
  const version = versionOf(contentMac);
  return keyring.versions.includes(version) && macOf(keyring, content, version) === contentMac;
}

/**
 * A hash of a document's content that is made with the document's own key, so that it stays valid when that key moves
 * to a new root key.
 */
export function contentMark(
  keyring: Keyring,
  documentId: string,
  kept: WrappedKey,
  content: Iterable<Uint8Array>,
): string {
  const dataKey = unwrapDataKey(keyring, documentKeyCell(documentId), kept);
  // A key of its own, since the data key encrypts.
  const key = hkdfSync("sha256", dataKey, "", `taken_back|content_mac|${documentId}|1`, KEY_BYTES);
  const hash = createHmac("sha256", new Uint8Array(key));
  for (const piece of content) hash.update(piece);
  return hash.digest("base64url");
}

/** Moves a document to the current key (S84). Its content stays as it is. */
export function rewrapContent(keyring: Keyring, documentId: string, kept: WrappedKey): WrappedKey {
  return rewrapDataKey(keyring, documentKeyCell(documentId), kept);
}

function macOf(keyring: Keyring, content: Buffer, version: number): string {
  const digest = createHash("sha256").update(content).digest("base64url");
  return blindIndex(keyring, "document", digest, version);
}

function documentKeyCell(documentId: string): KeyCell {
  return { use: "document", name: (version) => `documents|wrapped_key|${version}|${documentId}|1` };
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function partName(documentId: string, nth: number, count: number): string {
  return `document_parts|content_sealed|${nth}/${count}|${documentId}|1`;
}
