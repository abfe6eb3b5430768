import { randomInt, randomUUID } from "node:crypto";
import type { CALLS, CallName, ReadRequest } from "~/contract/calls.server";
import { done, type Outcome, type Refusal, refused } from "~/contract/refusal.server";
import { readPid, readPolicyNo, readUsername, usernameKey } from "~/contract/rules";
import { expireCodes, isKnown, type Owner, type Reply, sendCode, useCode, type Visit } from "./codes";
import * as store from "./store";
import { type Customer, DAY, HOUR, MINUTE, SECOND } from "./store";

/* The calls that every backend offers. Their schemas, and who may make them, have been checked. */

const MONTH = 30 * DAY;

type Offered = {
  [Name in CallName]: (typeof CALLS)[Name]["mayBeMissing"] extends true ? never : Name;
}[CallName];
type Answer = Outcome<Reply> | Promise<Outcome<Reply>>;

export const HANDLERS: { readonly [Name in Offered]: (visit: Visit, sent: ReadRequest<Name>) => Answer } = {
  login: signIn,
  userInit: () => done({}),
  userInfo: ({ customer }) => done({ body: { name: customer?.name, username: customer?.username } }),
  deleteSession: ({ session, sessionId }) => {
    if (session) expireCodes(session);
    store.sessions.delete(sessionId);
    return done({ cookies: [cookie("session", "", 0)] });
  },

  activateSessionInit: (visit, { resend }) =>
    barredOrLocked(visit) ?? sendCode(visit, "activateSession", own(visit), resend),
  activateSessionConfirm: (visit, { authorizationCode, trustDevice, deviceName }) =>
    barredOrLocked(visit) ??
    useCode(visit, "activateSession", own(visit), authorizationCode, (customer) =>
      signedIn(visit, customer, trustDevice === "Y" ? [trust(customer, deviceName)] : []),
    ),

  registerInit: (visit, { policyNo, pid, resend }) => {
    const owner = registrant(policyNo, pid);
    const isRegistered = typeof owner !== "string" && owner.username !== undefined;
    return isRegistered ? refused("014") : sendCode(visit, "register", owner, resend);
  },
  registerConfirm: (visit, { policyNo, pid, authorizationCode, password }) =>
    useCode(visit, "register", registrant(policyNo, pid), authorizationCode, async (customer) => {
      const hash = await store.hashOf(password);
      if (customer.username !== undefined) return refused("014");
      customer.passwords = [hash];
      store.giveUsername(customer, `klient${randomInt(10_000_000, 100_000_000)}`);
      return signedIn(visit, customer);
    }),

  passwordResetInit: (visit, { username, resend }) =>
    sendCode(visit, "passwordReset", named(username), resend),
  passwordResetConfirm: (visit, { username, authorizationCode, newPassword }) =>
    useCode(visit, "passwordReset", named(username), authorizationCode, async (customer) => {
      for (const former of customer.passwords)
        if (await store.matches(newPassword, former)) return refused("013");
      customer.passwords = [await store.hashOf(newPassword), ...customer.passwords].slice(0, 5);
      return startAfresh(visit, customer);
    }),

  loginChangeInit: (visit, { username, resend }) =>
    foreign(visit, username) ?? tooManyChanges(visit) ?? sendCode(visit, "loginChange", own(visit), resend),
  loginChangeConfirm: (visit, { username, authorizationCode, newUsername }) =>
    foreign(visit, username) ??
    useCode(visit, "loginChange", own(visit), authorizationCode, (customer) => {
      if (store.findByUsername(newUsername)) return refused("012");
      customer.usernameChanges = [Date.now(), ...customer.usernameChanges];
      store.giveUsername(customer, readUsername(newUsername));
      return done({});
    }),

  loginRemindInit: (visit, { policyNo, resend }) =>
    sendCode(visit, "loginRemind", reminded(policyNo), resend),
  loginRemindConfirm: (visit, { policyNo, authorizationCode }) =>
    useCode(visit, "loginRemind", reminded(policyNo), authorizationCode, ({ username }) =>
      done({ body: { username } }),
    ),

  documentPasswordInit: (visit, { resend }) => sendCode(visit, "documentPassword", own(visit), resend),
  documentPasswordConfirm: (visit, { authToken, password }) =>
    useCode(visit, "documentPassword", own(visit), authToken, async (customer) => {
      if (await store.matches(password, customer.passwords[0]))
        return { kind: "invalid", fields: ["password"] };
      customer.documentPassword = await store.hashOf(password);
      return done({});
    }),

  policies: ({ customer }) => done({ body: { policies: customer?.policies } }),
  profile: ({ customer }) => {
    const trustedDevices = customer?.trustedDevices.map(({ token: _secret, ...device }) => device);
    const documentPassword = customer?.documentPassword !== undefined;
    return done({
      body: { name: customer?.name, username: customer?.username, documentPassword, trustedDevices },
    });
  },
  deleteTrustedDevice: ({ customer }, gone) => {
    if (customer) customer.trustedDevices = customer.trustedDevices.filter(({ id }) => id !== gone.id);
    return done({});
  },
  deleteTrustedDevices: ({ customer }) => {
    if (customer) customer.trustedDevices = [];
    return done({});
  },
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

function foreign({ customer }: Visit, username: string): Refusal | undefined {
  return store.findByUsername(username) === customer ? undefined : { kind: "invalid", fields: ["username"] };
}

function tooManyChanges({ customer }: Visit): Refusal | undefined {
  const lately = customer?.usernameChanges.filter((at) => at > Date.now() - MONTH) ?? [];
  return lately.length < 3 ? undefined : refused("015");
}

/** Wrong passwords in a row, how often they have locked, and until when. */
const tries = new Map<string, { readonly wrong: number; readonly locks: number; readonly until: number }>();
/** Until when a browser needs no code after a password reset. */
const passes = new Map<string, number>();

async function signIn(visit: Visit, { username, password }: ReadRequest<"login">): Promise<Outcome<Reply>> {
  const customer = store.findByUsername(username);
  const now = Date.now();
  const device = customer?.trustedDevices.find(
    ({ token, expiresAt }) => token === visit.deviceToken && Date.parse(expiresAt) > now,
  );
  const key = device?.id ?? triesOf(visit, customer, username);
  const locked = lockOf(key);
  if (locked) return locked;
  // Counted before it is compared: of fifty at once, five are. The fifth locks, each time for twice as long.
  const { wrong, locks } = tries.get(key) ?? { wrong: 0, locks: 0 };
  const until = wrong < 4 ? 0 : now + Math.min(15 * MINUTE * 2 ** locks, 2 * HOUR);
  tries.set(key, wrong < 4 ? { wrong: wrong + 1, locks, until } : { wrong: 0, locks: locks + 1, until });
  const current = customer?.passwords[0];
  const isRight = await store.matches(password, current);
  // The password may have been changed meanwhile.
  if (!customer || !isRight || customer.passwords[0] !== current)
    return lockOf(key) ?? { kind: "refused", errorCode: "101", ...(wrong === 3 && { triesLeft: 1 }) };
  tries.delete(key);
  if (customer.barred) return refused(customer.barred);
  const pass = `${customer.pid} ${visit.browser}`;
  const hasPass = (passes.get(pass) ?? 0) > now;
  passes.delete(pass);
  return hasPass
    ? signedIn(visit, customer)
    : done({ cookies: [startSession(visit, customer, device ? "active" : "pending")] });
}

/** Unknown usernames lock like others. */
function triesOf(visit: Visit, customer: Customer | undefined, username = customer?.username ?? ""): string {
  return isKnown(visit, customer) ? `${customer?.pid} ${visit.browser}` : usernameKey(username);
}

function lockOf(key: string): Refusal | undefined {
  const left = (tries.get(key)?.until ?? 0) - Date.now();
  return left > 0 ? refused("106", Math.ceil(left / SECOND)) : undefined;
}

/** The account may have been closed between the password and the code. */
function barredOrLocked(visit: Visit): Refusal | undefined {
  const { customer } = visit;
  return customer?.barred ? refused(customer.barred) : lockOf(triesOf(visit, customer));
}

/** Starts a session in place of the browser's last one. */
function startSession({ sessionId }: Visit, customer: Customer, state: "pending" | "active"): string {
  const id = store.randomToken();
  store.sessions.delete(sessionId);
  store.sessions.set(id, { customer, state, startedAt: Date.now(), seenAt: Date.now() });
  return cookie("session", id);
}

/** After a right code the session is active, and the browser known. */
function signedIn(visit: Visit, customer: Customer, more: readonly string[] = []): Outcome<Reply> {
  customer.knownBrowsers.set(visit.browser, Date.now() + MONTH);
  return done({
    cookies: [startSession(visit, customer, "active"), cookie("browser", visit.browser, MONTH), ...more],
  });
}

function trust(customer: Customer, deviceName: string): string {
  const [id, token, now] = [randomUUID(), store.randomToken(), Date.now()];
  const [trustedAt, expiresAt] = [new Date(now).toISOString(), new Date(now + MONTH).toISOString()];
  customer.trustedDevices = [{ id, token, deviceName, trustedAt, expiresAt }, ...customer.trustedDevices];
  return cookie("trusted-device", token, MONTH);
}

/** A new password ends all that was open. The session that changed its own goes on under another id. */
function startAfresh(visit: Visit, customer: Customer): Outcome<Reply> {
  for (const [id, session] of store.sessions) if (session.customer === customer) store.sessions.delete(id);
  customer.trustedDevices = [];
  customer.knownBrowsers.clear();
  tries.delete(triesOf(visit, customer));
  if (visit.customer === customer) return signedIn(visit, customer);
  passes.set(`${customer.pid} ${visit.browser}`, Date.now() + 2 * MINUTE);
  return done({});
}

/** At an https origin also `Secure`, and the name begins with `__Host-`. @param ms how long it lasts */
export function cookie(name: "session" | "browser" | "trusted-device", value: string, ms?: number): string {
  const lasts = ms === undefined ? "" : `; Max-Age=${ms / SECOND}`;
  return `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${lasts}`;
}
