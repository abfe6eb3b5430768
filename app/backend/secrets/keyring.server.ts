import { hkdfSync } from "node:crypto";

/**
 * What a key is for. Each use has its own key, derived from a root key, so that a leaked key reveals nothing about
 * the others.
 */
export type KeyUse =
  /** Added to every password before hashing (S78). */
  | "pepper"
  /** Encrypts personal data at rest (S85). */
  | "data"
  /** Finds personal data without decrypting it (S85). */
  | "blind-index"
  /** Keeps one-time codes unreadable (S30). */
  | "code"
  /** Derives the tokens of a confirm that may be repeated. */
  | "token"
  /** Wraps the data keys of document passwords (S82). */
  | "document-password"
  /** Wraps the data keys of documents. */
  | "document"
  /** Seals the audit (S95). */
  | "audit";

/** Root keys by version. New data is written with the current key; data written with any of them stays readable. */
export interface Keyring {
  readonly current: number;
  /** Every version in the keyring, current first. */
  readonly versions: readonly number[];
  /** 32 bytes. @throws Error if the keyring lacks this version */
  key(use: KeyUse, version: number): Buffer;
}

/** A root key: 32 random bytes. A version number is never reused for another key. */
export interface RootKey {
  readonly version: number;
  readonly key: Uint8Array;
}

/** Length of a root key and of every key derived from it. */
export const KEY_BYTES = 32;

/** Builds a keyring. The first key is current; all of them decrypt. */
export function makeKeyring(roots: readonly [RootKey, ...RootKey[]]): Keyring {
  const derived = new Map<string, Buffer>();
  return {
    current: roots[0].version,
    versions: roots.map((root) => root.version),
    key(use, version) {
      const name = `${use}/${version}`;
      const known = derived.get(name);
      if (known) return known;
      const root = roots.find((candidate) => candidate.version === version);
      if (!root) throw new Error(`the keyring has no key with version ${version}`);
      const key = Buffer.from(hkdfSync("sha256", root.key, "", `portal/${use}`, KEY_BYTES));
      derived.set(name, key);
      return key;
    },
  };
}
