import { randomInt } from "node:crypto";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { readCode } from "~/contract/rules";
import { type Customer, MINUTE, SECOND, type Session, take } from "./store";

/*
 * One-time codes: an init sends one, a confirm uses it. Yours also limits them for a day, for each address and for all
 * customers together (docs/backend-contract.md).
 */

/** The caps of the contract times this: 1, and 25 on a test system. */
const CAPS = 25;

/** What a call is answered with. `cookies` are lines made by `cookie`. */
export interface Reply {
  readonly body?: object;
  readonly cookies?: readonly string[];
}

/** Who makes a call. */
export interface Visit {
  /** The token of the cookie `browser`. */
  readonly browser: string;
  readonly deviceToken: string | undefined;
  readonly sessionId: string;
  readonly session: Session | undefined;
  /** Whose session it is, or was until the confirm that is being repeated. */
  readonly customer: Customer | undefined;
}

/** Whose code it is. Details that match nobody stand for themselves: all is the same, but nothing is sent. */
export type Owner = Customer | string;

interface Code {
  readonly digits: string;
  readonly sentAt: number;
  readonly resentAt: number;
  readonly session: Session | undefined;
  wrong: number;
  refused: number;
}

/** In place of a gateway for text messages. Newest first. */
export const outbox: { to: string; text: string; sentAt: string }[] = [];
/** By browser, purpose and owner: anywhere else a code is worthless. */
const codes = new Map<string, Code>();

const idOf = (owner: Owner) => (typeof owner === "string" ? owner : owner.pid);
const keyOf = ({ browser }: Visit, purpose: string, owner: Owner) =>
  [browser, purpose, idOf(owner)].join("|");
const isBlocked = (code: Code) => code.wrong >= 5 || code.refused >= 5;

/** A known browser has caps and tries of its own, so that strangers can't use up its owner's. */
export function isKnown({ browser }: Visit, customer: Customer | undefined): boolean {
  return (customer?.knownBrowsers.get(browser) ?? 0) > Date.now();
}

export function sendCode(visit: Visit, purpose: string, owner: Owner, isResend = false): Outcome<Reply> {
  const now = Date.now();
  const key = keyOf(visit, purpose, owner);
  const last = codes.get(key);
  const isFresh = last && now < (isResend ? last.resentAt + SECOND : last.sentAt + 30 * SECOND);
  if (last && isFresh && !isBlocked(last)) return done({});
  const customer = typeof owner === "string" ? undefined : owner;
  const isStranger = owner !== visit.customer && !isKnown(visit, customer);
  const wait = isStranger ? take(`asked|${purpose}|${idOf(owner)}`, 4 * CAPS, 10 * MINUTE) : 0;
  const purse = isKnown(visit, customer) ? visit.browser : isStranger ? "strangers" : "own";
  const full = customer ? take(`${purse}|${customer.phone}`, (isStranger ? 4 : 8) * CAPS, 10 * MINUTE) : 0;
  if (wait > 0 || (full > 0 && !isStranger)) return { kind: "rate-limited", retryAfterSeconds: wait || full };
  // A stranger isn't told that a number gets no more codes. The last one stays good.
  if (full > 0 && last) return done({});

  const digits = String(randomInt(1_000_000)).padStart(6, "0");
  const wrong = last && !isBlocked(last) ? last.wrong : 0;
  const resentAt = isResend ? now : 0;
  codes.set(key, { digits, sentAt: now, resentAt, session: visit.session, wrong, refused: 0 });
  if (customer && full === 0)
    outbox.unshift({ to: customer.phone, text: `Kod: ${digits}`, sentAt: new Date(now).toISOString() });
  return done({});
}

/** Does what the right code is for. */
export async function useCode(
  visit: Visit,
  purpose: string,
  owner: Owner,
  typed: string,
  effect: (customer: Customer) => Outcome<Reply> | Promise<Outcome<Reply>>,
): Promise<Outcome<Reply>> {
  const key = keyOf(visit, purpose, owner);
  const code = codes.get(key);
  if (!code || Date.now() > code.sentAt + 10 * MINUTE) return refused("010");
  if (isBlocked(code)) return refused("016");
  if (typeof owner === "string" || readCode(typed) !== code.digits) {
    code.wrong += 1;
    return refused(isBlocked(code) ? "016" : "007");
  }
  // Taken before anything is awaited: it has one effect.
  codes.delete(key);
  const outcome = await effect(owner);
  if (outcome.kind === "done") return outcome;
  // A refusal that isn't about the code keeps it, four times.
  codes.set(key, code);
  code.refused += 1;
  return isBlocked(code) ? refused("016") : outcome;
}

/** Counts a confirm that breaks a rule as a refusal of the code it came with. */
export function refuseCodes({ browser }: Visit, purpose: string): Refusal | undefined {
  const own = [...codes].filter(([key]) => key.startsWith(`${browser}|${purpose}|`)).map(([, code]) => code);
  for (const code of own) code.refused += 1;
  return own.some(isBlocked) ? refused("016") : undefined;
}

/** Ends the changes under way in a session. */
export function expireCodes(session: Session): void {
  for (const [key, code] of codes) if (code.session === session) codes.delete(key);
}
