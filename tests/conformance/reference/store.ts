import { randomBytes } from "node:crypto";
import { hash, verify } from "@node-rs/argon2";
import { readPassword, readPolicyNo, usernameKey } from "~/contract/rules";
import { DAY, HOUR, MINUTE } from "~/platform/time.server";
import type { DemoCustomer, RegisteredCustomer, WithPolicies } from "../../demo-customers";

/* The backend's data. Here it is in memory; yours is in the insurer's systems. Times are in ms. */

export const MONTH = 30 * DAY;

/** A policyholder. Codes are sent to `phone`, and nowhere else. */
export interface Customer {
  readonly name: string;
  readonly phone: string;
  readonly pid: string;
  readonly policies: WithPolicies["policies"];
  /** Undefined: not registered. */
  username?: string;
  /** Hashes of the last five, the present one first. */
  passwords: readonly string[];
  /** Expired, locked or disabled by a person. */
  readonly barred: "105" | "106" | "108" | undefined;
  /** Yours is encrypted, not hashed: it locks documents. */
  documentPassword: string | undefined;
  usernameChanges: readonly number[];
  trustedDevices: readonly Record<"id" | "token" | "deviceName" | "trustedAt" | "expiresAt", string>[];
  /** Browsers that have signed in with a code, and until when that counts. */
  readonly knownBrowsers: Map<string, number>;
}

const customers: Customer[] = [];

export function findByPolicy(policyNo: string): Customer | undefined {
  const keyOf = (no: string) => readPolicyNo(no).compared;
  return customers.find(({ policies }) => policies.some((own) => keyOf(own.policyNo) === keyOf(policyNo)));
}

export function findByUsername(username: string): Customer | undefined {
  return customers.find(({ username: own }) => own && usernameKey(own) === usernameKey(username));
}

/** A customer in the file of docs/conformance.md, which says what the roles are. */
export type Listed = DemoCustomer & Partial<RegisteredCustomer & WithPolicies>;
const BARRED: Readonly<Record<string, Customer["barred"]>> = { MARIA: "106", TOMASZ: "105", EWA: "108" };
const day = (days: number) => new Date(Date.now() + days * DAY).toISOString().slice(0, 10);

export async function addCustomer(role: string, listed: Listed): Promise<void> {
  const { password, policyNo, policies = [{ policyNo, name: "Polisa" }], ...customer } = listed;
  customers.push({
    ...customer,
    policies: policies.map(({ premium: told, ...each }) => ({
      validFrom: day(-90),
      validTo: day(275),
      ...each,
      ...(told && { premium: { dueOn: day(12), paidUntil: null, account: null, title: null, ...told } }),
    })),
    passwords: password === undefined ? [] : [await hashOf(password)],
    barred: BARRED[role],
    documentPassword: role === "PIOTR" ? await hashOf("Dokument-2026!") : undefined,
    usernameChanges: role === "JAN" ? [Date.now(), Date.now(), Date.now()] : [],
    trustedDevices: [],
    knownBrowsers: new Map(),
  });
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
  const [session, now] = [sessions.get(id), Date.now()];
  if (!session || now > session.seenAt + 15 * MINUTE || now > session.startedAt + 8 * HOUR) return undefined;
  session.seenAt = now;
  return session;
}

export const randomToken = () => randomBytes(32).toString("base64url");
export const hashOf = (password: string) => hash(readPassword(password));
const decoy = hashOf(randomToken());

/** Whether a password matches a hash; takes as long without a hash. */
export async function matches(password: string, known: string | undefined): Promise<boolean> {
  return (await verify(known ?? (await decoy), readPassword(password))) && known !== undefined;
}
