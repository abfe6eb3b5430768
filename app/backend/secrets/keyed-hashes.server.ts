import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Keyring, KeyUse } from "./keyring.server";

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
 * The stored form of a token. Tokens are random, so a plain hash is enough: nobody can use what the database holds
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
