import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring, KeyUse } from "./keyring.server";

const TOKEN_BYTES = 32;
const TOKEN = /^[\w-]{43}$/;

/** 256 random bits in base64url: sessions, browsers and trusted devices are known by one (S35). */
export function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString("base64url");
}

/** Whether a cookie's value has the form of a token. */
export function isToken(value: string): boolean {
  return TOKEN.test(value);
}

/** How a token is kept. It is random, so its plain hash says nothing; a dump cannot be replayed (S35). */
export function tokenHash(token: string): string {
  return createHash("sha256").update(token).digest("base64url");
}

/** HMAC-SHA-256 over parts that cannot run into each other, in base64url. */
export function keyedHash(keyring: Keyring, use: KeyUse, version: number, parts: readonly string[]): string {
  return createHmac("sha256", keyring.key(use, version)).update(JSON.stringify(parts)).digest("base64url");
}

/** What personal data is found by: a keyed hash with the current key, and the key's version before it. */
export function blindIndex(keyring: Keyring, kind: string, value: string, version = keyring.current): string {
  return `${version}.${keyedHash(keyring, "blind-index", version, [kind, value])}`;
}

/** The indexes that a value may be kept under, one for each key that is held. Never empty. */
export function blindIndexes(keyring: Keyring, kind: string, value: string): string[] {
  return keyring.versions.map((version) => blindIndex(keyring, kind, value, version));
}

/**
 * What tries and messages are counted by: a keyed hash that stays the same while a new key is brought in, so that no
 * lock is lifted by it (S17). Made with the key of the lowest version.
 */
export function steadyIndex(keyring: Keyring, kind: string, value: string): string {
  return blindIndex(keyring, kind, value, Math.min(...keyring.versions));
}

/** Compares two hashes in a time that does not depend on where they differ. */
export function sameHash(one: string, other: string): boolean {
  const left = Buffer.from(one);
  const right = Buffer.from(other);
  return left.length === right.length && timingSafeEqual(left, right);
}
