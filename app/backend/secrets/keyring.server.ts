import { hkdfSync } from "node:crypto";

/**
 * What a key is for. Each use has a key of its own, derived from a root key, so that what leaks of one says nothing
 * about another.
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
  | "document-password";

/** Root keys by version. What is new is written with the current one; what was written with any of them stays readable. */
export interface Keyring {
  readonly current: number;
  /** Every version that it holds, the current one first. */
  readonly versions: readonly number[];
  /** 32 bytes. @throws Error when the version is not held */
  key(use: KeyUse, version: number): Buffer;
}

/** A root key: 32 random bytes under a number that never stands for another key. */
export interface RootKey {
  readonly version: number;
  readonly key: Uint8Array;
}

/** Bytes of a root key, and of every key derived from it. */
export const KEY_BYTES = 32;

/** A keyring of root keys; the first is current, all open. */
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
      if (!root) throw new Error(`the keyring holds no key of version ${version}`);
      const key = Buffer.from(hkdfSync("sha256", root.key, "", `portal/${use}`, KEY_BYTES));
      derived.set(name, key);
      return key;
    },
  };
}
