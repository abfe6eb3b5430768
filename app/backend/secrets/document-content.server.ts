import { createHash } from "node:crypto";
import {
  type KeyPlace,
  type WrappedKey,
  newDataKey,
  rewrapDataKey,
  unwrapDataKey,
  wrapDataKey,
} from "./data-key.server";
import { type Keyring, blindIndex, decrypt, encrypt, versionOf } from "./keyring.server";

/** A stored document: parts small enough for a statement, encrypted with the document's own data key (S82). */
interface SealedContent extends WrappedKey {
  /** Keyed hash of the whole content, to tell whether a file has changed. */
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
      partPlace(documentId, nth, count),
      content.subarray(nth * PART_BYTES, (nth + 1) * PART_BYTES),
    ),
  );
  return {
    ...wrapDataKey(keyring, keyPlace(documentId), dataKey),
    contentMac: macOf(keyring, content, keyring.current),
    parts,
  };
}

/** How many parts a content of so many bytes has. */
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
  const dataKey = unwrapDataKey(keyring, keyPlace(documentId), kept);
  const count = partCount(bytes);
  return (nth, sealed) => decrypt(dataKey, partPlace(documentId, nth, count), sealed);
}

/** Whether a document's stored content equals this one. Returns false if the key it was hashed with is gone. */
export function isSameContent(keyring: Keyring, contentMac: string, content: Buffer): boolean {
  const version = versionOf(contentMac);
  return keyring.versions.includes(version) && macOf(keyring, content, version) === contentMac;
}

/** Moves a document to the current key (S84). Its content stays as it is. */
export function rewrapContent(keyring: Keyring, documentId: string, kept: WrappedKey): WrappedKey {
  return rewrapDataKey(keyring, keyPlace(documentId), kept);
}

function macOf(keyring: Keyring, content: Buffer, version: number): string {
  const digest = createHash("sha256").update(content).digest("base64url");
  return blindIndex(keyring, "document", digest, version);
}

function keyPlace(documentId: string): KeyPlace {
  return { use: "document", name: (version) => `documents|wrapped_key|${version}|${documentId}|1` };
}

/** The `1` is the format: it changes whenever the authenticated data does. */
function partPlace(documentId: string, nth: number, count: number): string {
  return `document_parts|content_sealed|${nth}/${count}|${documentId}|1`;
}
