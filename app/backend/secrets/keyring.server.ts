import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";

/**
 * The uses of keys. Each use has its own key, derived from a root key, so that a leaked key reveals nothing about
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
  | "audit"
  /** Shows that a backup is this portal's (S157). */
  | "backup";

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

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** 256 random bits in base64url. Identifies a session, a browser or a trusted device (S35). */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a cookie's value looks like a token. */
export function isToken(value: string): boolean {
  return TOKEN.test(value);
}

/**
 * The stored form of a token. Tokens are random, so a plain hash is enough: a stolen database doesn't reveal them
 * (S35).
 */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** HMAC-SHA-256 over unambiguously separated parts, in base64url. */
export function keyedHash(keyring: Keyring, use: KeyUse, version: number, parts: readonly string[]): string {
  return createHmac("sha256", keyring.key(use, version)).update(JSON.stringify(parts)).digest("base64url");
}

/** Look-up index for personal data: a hash keyed with the current key, prefixed with the key's version. */
export function blindIndex(keyring: Keyring, kind: string, value: string, version = keyring.current): string {
  return `${version}.${keyedHash(keyring, "blind-index", version, [kind, value])}`;
}

/** Every index that a value may be stored under, one per key in the keyring. Never empty. */
export function blindIndexes(keyring: Keyring, kind: string, value: string): string[] {
  return keyring.versions.map((version) => blindIndex(keyring, kind, value, version));
}

/**
 * The index for counting tries and messages. It uses the key with the lowest version, so it stays the same while a new
 * key is introduced, and no lock is lifted (S17).
 */
export function steadyIndex(keyring: Keyring, kind: string, value: string): string {
  return blindIndex(keyring, kind, value, Math.min(...keyring.versions));
}

/** Compares two hashes in constant time. */
export function sameHash(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The cell of a value in the store. It is authenticated, too: a value moved to another row doesn't decrypt (S82). */
export interface Cell {
  readonly table: string;
  readonly column: string;
  readonly row: string;
}

/** Encrypts text for one cell of the store: `<key version>.<nonce, ciphertext and tag in base64url>`. */
export function seal(keyring: Keyring, cell: Cell, text: string): string {
  const version = keyring.current;
  const sealed = encrypt(
    keyring.key("data", version),
    associatedData(cell, version),
    Buffer.from(text, "utf8"),
  );
  return `${version}.${sealed.toString("base64url")}`;
}

/** Decrypts the output of `seal`. @throws Error if the value was changed or moved, or its key is not in the keyring */
export function open(keyring: Keyring, cell: Cell, sealed: string): string {
  const version = versionOf(sealed);
  const bytes = Buffer.from(sealed.slice(sealed.indexOf(".") + 1), "base64url");
  return decrypt(keyring.key("data", version), associatedData(cell, version), bytes).toString("utf8");
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

function associatedData({ table, column, row }: Cell, version: number): string {
  return `${table}|${column}|${row}|${version}`;
}
