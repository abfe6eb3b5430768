import { pbkdf2, randomBytes, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { readPolicyNo, usernameKey } from "~/contract/rules";

/* What the backend knows. Here it is in memory; yours is in the insurer's systems. */

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** A policyholder. Codes are sent to `phone`, and nowhere else. All that is a time is in ms. */
export interface Customer {
  readonly name: string;
  readonly phone: string;
  readonly pid: string;
  readonly policies: readonly Record<"policyNo" | "name" | "validFrom" | "validTo", string>[];
  /** Undefined: not registered. */
  username?: string;
  /** The last five, the present one first. */
  passwords: readonly Hash[];
  /** Expired, locked or disabled by a person. */
  readonly barred?: "105" | "106" | "108" | undefined;
  /** Yours is encrypted, not hashed: it locks documents. */
  documentPassword?: Hash | undefined;
  usernameChanges: readonly number[];
  trustedDevices: readonly Record<"id" | "token" | "deviceName" | "trustedAt" | "expiresAt", string>[];
  /** Browsers that have signed in with a code, and until when that counts. */
  readonly knownBrowsers: Map<string, number>;
}

const byPolicyNo = new Map<string, Customer>();
const byUsername = new Map<string, Customer>();

export function addCustomer(customer: Customer): void {
  for (const { policyNo } of customer.policies) byPolicyNo.set(readPolicyNo(policyNo).compared, customer);
  if (customer.username !== undefined) giveUsername(customer, customer.username);
}

export function findByPolicy(policyNo: string): Customer | undefined {
  return byPolicyNo.get(readPolicyNo(policyNo).compared);
}

export function findByUsername(username: string): Customer | undefined {
  return byUsername.get(usernameKey(username));
}

export function giveUsername(customer: Customer, username: string): void {
  byUsername.delete(usernameKey(customer.username ?? ""));
  customer.username = username;
  byUsername.set(usernameKey(username), customer);
}

export interface Session {
  readonly customer: Customer;
  readonly state: "pending" | "active";
  readonly startedAt: number;
  seenAt: number;
}

export const sessions = new Map<string, Session>();

/** The session with this id, if it was used in the last 15 minutes and began in the last 8 hours. */
export function findSession(id: string): Session | undefined {
  const session = sessions.get(id);
  const now = Date.now();
  if (!session || now > session.seenAt + 15 * MINUTE || now > session.startedAt + 8 * HOUR) return undefined;
  session.seenAt = now;
  return session;
}

const taken = new Map<string, readonly number[]>();

/** Takes one of what may be had `most` times in a while. Returns the seconds to wait if none is left, or 0. */
export function take(what: string, most: number, length: number): number {
  const since = Date.now() - length;
  const times = (taken.get(what) ?? []).filter((time) => time > since);
  const [oldest = since] = times;
  if (times.length >= most) return Math.ceil((oldest - since) / SECOND);
  taken.set(what, [...times, Date.now()]);
  return 0;
}

interface Hash {
  readonly salt: string;
  readonly key: Buffer;
}

const derive = promisify(pbkdf2);
/** For real customers take 210,000 rounds, or Argon2. */
const keyOf = (password: string, salt: string) =>
  derive(password.normalize("NFC"), salt, 10_000, 32, "sha512");

export async function hashOf(password: string): Promise<Hash> {
  const salt = randomToken();
  return { salt, key: await keyOf(password, salt) };
}

/** Takes as long when there is nothing to compare. */
export async function matches(password: string, hash: Hash | undefined): Promise<boolean> {
  const key = await keyOf(password, hash?.salt ?? "");
  return hash !== undefined && timingSafeEqual(key, hash.key);
}

export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}
