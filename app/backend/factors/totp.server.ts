import { createHmac, randomBytes } from "node:crypto";
import { CODE_DIGITS } from "~/contract/rules";
import { SECOND } from "~/platform/time.server";
import { fromBase32, toBase32 } from "../secrets/base32.server";
import { sameHash } from "../secrets/keyring.server";

/** As long as SHA-1's output (RFC 4226 §4). */
const SECRET_BYTES = 20;
const STEP_MS = 30 * SECOND;

/** A new secret: 32 characters of base32. */
export function newSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The time step at a moment (ms since 1970). */
export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** The code of a step (RFC 6238: HMAC-SHA-1, six digits). */
export function codeOfStep(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = mac.readUInt8(mac.length - 1) & 0xf;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** CODE_DIGITS).padStart(CODE_DIGITS, "0");
}

/** The step that a code belongs to: the present one, the one before or the one after. Undefined for a wrong code. */
export function stepOfCode(secret: string, code: string, now: number): number | undefined {
  const present = stepAt(now);
  // All three are computed, so that the time says nothing.
  const right = [present + 1, present, present - 1].filter((step) =>
    sameHash(codeOfStep(secret, step), code),
  );
  return right[0];
}

/** The content of the QR code (Key URI Format of Google Authenticator, which all apps read). */
export function otpauthUri(issuer: string, username: string, secret: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`;
  const query = [
    `secret=${secret}`,
    `issuer=${encodeURIComponent(issuer)}`,
    "algorithm=SHA1",
    "digits=6",
    "period=30",
  ];
  return `otpauth://totp/${label}?${query.join("&")}`;
}
