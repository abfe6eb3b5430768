import { randomInt, randomUUID } from "node:crypto";
import type { CallMayBeMissing, ReadRequest } from "~/contract/calls.server";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { readCode, readPid, readPolicyNo, readUsername, usernameKey } from "~/contract/rules";
import { HOUR, MINUTE, SECOND } from "~/platform/time.server";
import * as store from "./store";
import { type Customer, MONTH } from "./store";

/* The calls that every backend offers. Their schemas, and who may make them, have been checked. Codes are below. */

export interface Visit {
  /** The purpose of the call's code: the call's name without Init or Confirm. */
  readonly purpose: string;
  readonly browser: string;
  readonly deviceToken: string | undefined;
  readonly sessionId: string;
  readonly session: store.Session | undefined;
  readonly customer: Customer | undefined;
}

export interface Reply {
  readonly body?: object;
  /** Values by name. An empty one deletes its cookie. */
  readonly cookies?: Readonly<Record<string, string>>;
}
export type Answer = Outcome<Reply>;
export type Name = CallMayBeMissing<false>;
export type Handler<Sent> = (visit: Visit, sent: Sent) => Answer | Promise<Answer>;

export const HANDLERS: { readonly [Each in Name]: Handler<ReadRequest<Each>> } = {
  login: signIn,
  userInit: () => done({}),
  userInfo: ({ customer }) => done({ body: { name: customer?.name, username: customer?.username } }),
  deleteSession: ({ sessionId }) => {
    store.sessions.delete(sessionId);
    return done({ cookies: { session: "" } });
  },

  activateSessionInit: (visit, { resend }) => barredOrLocked(visit) ?? sendCode(visit, own(visit), resend),
  activateSessionConfirm: (visit, { authorizationCode = "", trustDevice, deviceName }) =>
    barredOrLocked(visit) ??
    useCode(visit, own(visit), authorizationCode, (customer) =>
      signedIn(visit, customer, trustDevice === "Y" ? trust(customer, deviceName) : {}),
    ),
  registerInit: (visit, { policyNo, pid, resend }) => {
    const owner = registrant(policyNo, pid);
    const isRegistered = typeof owner !== "string" && owner.username !== undefined;
    return isRegistered ? refused("014") : sendCode(visit, owner, resend);
  },
  registerConfirm: (visit, { policyNo, pid, authorizationCode, password }) =>
    useCode(visit, registrant(policyNo, pid), authorizationCode, async (customer) => {
      const hash = await store.hashOf(password);
      if (customer.username !== undefined) return refused("014");
      customer.passwords = [hash];
      customer.username = `klient${randomInt(10_000_000, 100_000_000)}`;
      return signedIn(visit, customer);
    }),
  passwordResetInit: (visit, { username, resend }) => sendCode(visit, named(username), resend),
  passwordResetConfirm: (visit, { username, authorizationCode = "", newPassword }) =>
    useCode(visit, named(username), authorizationCode, async (customer) => {
      for (const former of customer.passwords)
        if (await store.matches(newPassword, former)) return refused("013");
      customer.passwords = [await store.hashOf(newPassword), ...customer.passwords].slice(0, 5);
      return startAfresh(visit, customer);
    }),
  loginChangeInit: (visit, { username, resend }) =>
    changeBarred(visit, username) ?? sendCode(visit, own(visit), resend),
  loginChangeConfirm: (visit, { username, authorizationCode = "", newUsername }) =>
    changeBarred(visit, username) ??
    useCode(visit, own(visit), authorizationCode, (customer) => {
      if (store.findByUsername(newUsername)) return refused("012");
      customer.usernameChanges = [Date.now(), ...customer.usernameChanges];
      customer.username = readUsername(newUsername);
      return done({});
    }),
  loginRemindInit: (visit, { policyNo, resend }) => sendCode(visit, reminded(policyNo), resend),
  loginRemindConfirm: (visit, { policyNo, authorizationCode }) =>
    useCode(visit, reminded(policyNo), authorizationCode, ({ username }) => done({ body: { username } })),
  documentPasswordInit: (visit, { resend }) => sendCode(visit, own(visit), resend),
  documentPasswordConfirm: (visit, { authToken = "", password }) =>
    useCode(visit, own(visit), authToken, async (customer) => {
      const isPortals = await store.matches(password, customer.passwords[0]);
      if (isPortals) return { kind: "invalid", fields: ["password"] };
      customer.documentPassword = await store.hashOf(password);
      return done({});
    }),

  policies: ({ customer }) => done({ body: { policies: customer?.policies } }),
  profile: ({ customer }) => {
    const trustedDevices = customer?.trustedDevices.map(({ token: _secret, ...device }) => device);
    const { name, username, documentPassword: hash } = customer ?? {};
    return done({ body: { name, username, documentPassword: hash !== undefined, trustedDevices } });
  },
  deleteTrustedDevice: ({ customer }, gone) => keepDevices(customer, (id) => id !== gone.id),
  deleteTrustedDevices: ({ customer }) => keepDevices(customer, () => false),
};

const own = ({ customer }: Visit): Owner => customer ?? "nobody";
const named = (username: string): Owner => store.findByUsername(username) ?? usernameKey(username);

function registrant(policyNo: string, pid: string): Owner {
  const [typed, customer] = [readPid(pid).compared, store.findByPolicy(policyNo)];
  const isTheirs = customer && readPid(customer.pid).compared === typed;
  return isTheirs ? customer : `${readPolicyNo(policyNo).compared} ${typed}`;
}

function reminded(policyNo: string): Owner {
  const customer = store.findByPolicy(policyNo);
  return customer?.username === undefined ? readPolicyNo(policyNo).compared : customer;
}

function changeBarred({ customer }: Visit, username: string): Refusal | undefined {
  if (store.findByUsername(username) !== customer) return { kind: "invalid", fields: ["username"] };
  const [, , third = 0] = customer?.usernameChanges ?? [];
  return third > Date.now() - MONTH ? refused("015") : undefined;
}

function keepDevices(customer: Customer | undefined, isKept: (id: string) => boolean): Answer {
  if (customer) customer.trustedDevices = customer.trustedDevices.filter(({ id }) => isKept(id));
  return done({});
}

/** Wrong passwords in a row, and until when they lock. Unknown usernames lock like others. */
const tries = new Map<string, { readonly wrong: number; readonly until: number }>();
/** Until when a browser needs no code after a password reset. */
const passes = new Map<string, number>();

async function signIn(visit: Visit, { username, password }: ReadRequest<"login">): Promise<Answer> {
  const now = Date.now();
  const customer = store.findByUsername(username);
  const key = triesOf(visit, customer, username);
  const locked = lockOf(key);
  if (locked) return locked;
  // Counted before it is compared: of fifty at once, five are. Each fifth locks, for twice as long as the last.
  const wrong = (tries.get(key)?.wrong ?? 0) + 1;
  const length = Math.min(15 * MINUTE * 2 ** (wrong / 5 - 1), 2 * HOUR);
  tries.set(key, { wrong, until: wrong % 5 === 0 ? now + length : 0 });
  const current = customer?.passwords[0];
  const isRight = await store.matches(password, current);
  // The password may have been changed meanwhile.
  if (!customer || !isRight || customer.passwords[0] !== current) return lockOf(key) ?? refused("101");
  tries.delete(key);
  if (customer.barred) return refused(customer.barred);
  const pass = `${customer.pid} ${visit.browser}`;
  const isTrusted = customer.trustedDevices.some(
    ({ token, expiresAt }) => token === visit.deviceToken && Date.parse(expiresAt) > now,
  );
  const state = isTrusted || (passes.get(pass) ?? 0) > now ? "active" : "pending";
  passes.delete(pass);
  return done({ cookies: startSession(visit, customer, state) });
}

function triesOf(visit: Visit, customer: Customer | undefined, username = customer?.username ?? ""): string {
  return isKnown(visit, customer) ? `${customer?.pid} ${visit.browser}` : usernameKey(username);
}

function lockOf(key: string): Refusal | undefined {
  const left = (tries.get(key)?.until ?? 0) - Date.now();
  return left > 0 ? refused("106", Math.ceil(left / SECOND)) : undefined;
}

/** The account may have been closed between the password and the code. */
function barredOrLocked(visit: Visit): Refusal | undefined {
  return visit.customer?.barred ? refused(visit.customer.barred) : lockOf(triesOf(visit, visit.customer));
}

function startSession({ sessionId }: Visit, customer: Customer, state: store.Session["state"]) {
  const session = store.randomToken();
  store.sessions.delete(sessionId);
  store.sessions.set(session, { customer, state, startedAt: Date.now(), seenAt: Date.now() });
  return { session };
}

function signedIn(visit: Visit, customer: Customer, more: Reply["cookies"] = {}): Answer {
  customer.knownBrowsers.set(visit.browser, Date.now() + MONTH);
  return done({ cookies: { ...startSession(visit, customer, "active"), browser: visit.browser, ...more } });
}

function trust(customer: Customer, deviceName: string) {
  const [id, token, now] = [randomUUID(), store.randomToken(), Date.now()];
  const [trustedAt, expiresAt] = [new Date(now).toISOString(), new Date(now + MONTH).toISOString()];
  customer.trustedDevices = [{ id, token, deviceName, trustedAt, expiresAt }, ...customer.trustedDevices];
  return { "trusted-device": token };
}

/** A new password ends all that was open. The session that changed its own goes on under another id. */
function startAfresh(visit: Visit, customer: Customer): Answer {
  for (const [id, session] of store.sessions) if (session.customer === customer) store.sessions.delete(id);
  customer.trustedDevices = [];
  customer.knownBrowsers.clear();
  tries.delete(triesOf(visit, customer));
  if (visit.customer === customer) return signedIn(visit, customer);
  passes.set(`${customer.pid} ${visit.browser}`, Date.now() + 2 * MINUTE);
  return done({});
}

/* One-time codes: an init sends one, a confirm uses it. */

/** The caps of the contract times this: 1, and 25 on a test system. */
const CAPS = 25;
/** The owner of a code: a customer, or unknown details as typed. For those nothing is sent; the rest is the same. */
type Owner = Customer | string;
type Use = (customer: Customer) => Answer | Promise<Answer>;

interface Code {
  readonly digits: string;
  readonly sentAt: number;
  /** The active session that asked for it, if any: the code ends with it. */
  readonly sessionId: string | undefined;
  wrong: number;
  refused: number;
}

/** In place of a gateway for text messages. Newest first. */
export const outbox: { to: string; text: string; sentAt: string }[] = [];
/** By browser, purpose and owner: anywhere else a code is worthless. */
const codes = new Map<string, Code>();
/** When codes were sent, for each cap. */
const counted = new Map<string, readonly number[]>();

const isOver = ({ sessionId }: Code) => sessionId !== undefined && !store.sessions.has(sessionId);
const isBlocked = (code: Code) => code.wrong >= 5 || code.refused >= 5;
const idOf = (owner: Owner) => (typeof owner === "string" ? owner : owner.pid);
const keyOf = ({ browser, purpose }: Visit, owner: Owner) => `${browser}|${purpose}|${idOf(owner)}`;

/** A known browser has caps and tries of its own, so that strangers can't use up its owner's. */
const isKnown = ({ browser }: Visit, customer: Customer | undefined) =>
  (customer?.knownBrowsers.get(browser) ?? 0) > Date.now();

function sendCode(visit: Visit, owner: Owner, isResend = false): Answer {
  const now = Date.now();
  const last = codes.get(keyOf(visit, owner));
  const usable = last && !isBlocked(last) && !isOver(last) ? last : undefined;
  if (usable && now < usable.sentAt + (isResend ? 1 : 30) * SECOND) return done({});
  const wait = count(visit, owner, now);
  if (wait > 0) return { kind: "rate-limited", retryAfterSeconds: wait };
  const digits = String(randomInt(1_000_000)).padStart(6, "0");
  const sessionId = visit.session?.state === "active" ? visit.sessionId : undefined;
  codes.set(keyOf(visit, owner), { digits, sentAt: now, sessionId, wrong: usable?.wrong ?? 0, refused: 0 });
  if (typeof owner !== "string")
    outbox.unshift({ to: owner.phone, text: `Kod: ${digits}`, sentAt: new Date(now).toISOString() });
  return done({});
}

/** Counts a code, or returns the seconds to wait if its cap is used up. */
function count(visit: Visit, owner: Owner, now: number): number {
  const isTheirs = typeof owner !== "string" && isKnown(visit, owner);
  const isOwn = isTheirs || owner === visit.customer;
  const cap = `${isTheirs ? visit.browser : isOwn ? "own" : visit.purpose}|${idOf(owner)}`;
  const times = (counted.get(cap) ?? []).filter((time) => time > now - 10 * MINUTE);
  const [oldest = now] = times;
  if (times.length >= (isOwn ? 8 : 4) * CAPS) return Math.ceil((oldest + 10 * MINUTE - now) / SECOND);
  counted.set(cap, [...times, now]);
  return 0;
}

async function useCode(visit: Visit, owner: Owner, typed: string, use: Use): Promise<Answer> {
  const key = keyOf(visit, owner);
  const code = codes.get(key);
  if (!code || isOver(code) || Date.now() > code.sentAt + 10 * MINUTE) return refused("010");
  if (isBlocked(code)) return refused("016");
  if (typeof owner === "string" || readCode(typed) !== code.digits) {
    code.wrong += 1;
    return refused(isBlocked(code) ? "016" : "007");
  }
  // Deleted before anything is awaited, so that the code has one effect.
  codes.delete(key);
  const answer = await use(owner);
  if (answer.kind === "done") return answer;
  // A refusal that isn't about the code keeps it, four times.
  codes.set(key, code);
  code.refused += 1;
  return isBlocked(code) ? refused("016") : answer;
}

/** Counts a confirm that breaks a rule as a refusal of the code it came with. */
export function refuseCodes({ browser, purpose }: Visit): Refusal | undefined {
  const own = [...codes].filter(([key]) => key.startsWith(`${browser}|${purpose}|`)).map(([, code]) => code);
  for (const code of own) code.refused += 1;
  return own.some(isBlocked) ? refused("016") : undefined;
}
