import { DAY, SECOND } from "~/platform/time.server";
import type { Limits } from "~/platform/config/limits";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { newToken, tokenHash } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import type { SessionState } from "../store/column-values.server";
import { knownBrowserId } from "../customers/customers.server";

/** Whether any account knows the caller's browser. */
export async function isKnownToAnyone(reader: Reader, caller: Caller, now: number): Promise<boolean> {
  return (await knownHere(reader, caller, now).limit(1).executeTakeFirst()) !== undefined;
}

/** Whether this account does. */
export async function isKnownTo(
  reader: Reader,
  caller: Caller,
  now: number,
  accountId: string,
): Promise<boolean> {
  const known = knownHere(reader, caller, now).where("account_id", "=", accountId);
  return (await known.executeTakeFirst()) !== undefined;
}

function knownHere(reader: Reader, { browser }: Caller, now: number) {
  return reader
    .selectFrom("known_browsers")
    .select("id")
    .where("browser_hash", "=", tokenHash(browser))
    .where("ends_at", ">", now);
}

/** Makes the caller's browser known to the account from now on, for as long as its cookie lives. */
export async function rememberBrowser(
  tx: Tx,
  { limits, clock }: Dependencies,
  caller: Caller,
  accountId: string,
): Promise<void> {
  const ends_at = clock() + limits.KNOWN_BROWSER_DAYS * DAY;
  await tx
    .insertInto("known_browsers")
    .values({ browser_hash: tokenHash(caller.browser), account_id: accountId, id: newToken(), ends_at })
    .onConflict((conflict) => conflict.columns(["browser_hash", "account_id"]).doUpdateSet({ ends_at }))
    .execute();
}

/** Makes every other browser of the account unknown: there may have been a reason for the password change. */
export async function forgetOtherBrowsers(tx: Tx, caller: Caller, accountId: string): Promise<void> {
  await tx
    .deleteFrom("known_browsers")
    .where("account_id", "=", accountId)
    .where("browser_hash", "<>", tokenHash(caller.browser))
    .execute();
}

/** The token hashes of an account's known browsers. */
export async function knownBrowserHashes(
  reader: Reader,
  accountId: string,
  now: number,
): Promise<readonly string[]> {
  const rows = await reader
    .selectFrom("known_browsers")
    .select("browser_hash")
    .where("account_id", "=", accountId)
    .where("ends_at", ">", now)
    .orderBy("id")
    .execute();
  return rows.map(({ browser_hash }) => browser_hash);
}

/** A session that has not ended, and its account. */
export interface Session {
  readonly sessionId: string;
  readonly state: SessionState;
  /** The absolute end of the session, in ms; it stays the same when the id changes. */
  readonly endsAt: number;
  /**
   * When it became active (pending: when the password was given), in ms. A password change replaces the id, not this.
   */
  readonly startedAt: number;
  /** Empty if it isn't known. */
  readonly deviceName: string;
  readonly accountId: string;
  readonly customerId: string;
  readonly username: string;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
  /** When a recovery code opened it, in ms; undefined if none did. A password change keeps it. */
  readonly recoveredAt: number | undefined;
}

/** A session whose device is recognised or whose code was right. */
export interface ActiveSession extends Session {
  readonly state: "active";
}

/** Whether the session no longer needs a code. */
export function isActive(session: Session): session is ActiveSession {
  return session.state === "active";
}

/** Last use is recorded at most this often, because a write for every request would gain nothing. */
const TOUCH_MS = SECOND;

/** A new session's state, account and start (ms) and, if already known, its token, absolute end (ms) and device. */
export interface NewSession {
  readonly accountId: string;
  readonly state: SessionState;
  readonly startedAt: number;
  readonly token?: string;
  readonly endsAt?: number;
  /** Default: the caller's. */
  readonly deviceName?: string | undefined;
  readonly recoveredAt?: number | undefined;
}

/** Creates a session and returns the token for the cookie. Only its hash is stored (S35). */
export async function startSession(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  session: NewSession,
): Promise<string> {
  const token = session.token ?? newToken();
  const row = {
    id: tokenHash(token),
    account_id: session.accountId,
    state: session.state,
    created_at: session.startedAt,
    last_seen_at: deps.clock(),
    ends_at: session.endsAt ?? session.startedAt + deps.limits.SESSION_MAX_SECONDS * SECOND,
    device_name: session.deviceName ?? caller.deviceName,
    recovered_at: session.recoveredAt ?? null,
  };
  await tx.insertInto("sessions").values(row).execute();
  return token;
}

/** Ends the caller's session, if any, and returns the id of its account. */
export async function endSession(tx: Tx, caller: Caller): Promise<string | undefined> {
  if (caller.session === undefined) return undefined;
  const ended = await tx
    .deleteFrom("sessions")
    .where("id", "=", tokenHash(caller.session))
    .returning("account_id")
    .executeTakeFirst();
  return ended?.account_id;
}

/**
 * Finds the caller's session, in either state, and notes that it was used. Ends it instead if it is past the idle or
 * absolute limit by the backend's clock (S36), or if it is active but the account no longer is. If the account is
 * barred, a pending session stays, and the code step says why sign-in is refused.
 */
export async function findSession(deps: Dependencies, caller: Caller): Promise<Session | undefined> {
  if (caller.session === undefined) return undefined;
  const now = deps.clock();
  const sessionId = tokenHash(caller.session);
  const browserHash = tokenHash(caller.browser);
  const row = await deps.store.read
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.account_id")
    .select(["sessions.state", "sessions.ends_at", "sessions.last_seen_at", "accounts.id as account_id"])
    .select(["sessions.created_at", "sessions.device_name", "sessions.recovered_at"])
    .select(["accounts.state as account_state", "accounts.customer_id", "accounts.username"])
    .select((eb) => knownBrowserId(eb, { browserHash, now }).as("known_browser"))
    .where("sessions.id", "=", sessionId)
    .executeTakeFirst();
  if (!row) return undefined;

  const isOver = row.ends_at <= now || row.last_seen_at <= idleSince(deps.limits, now);
  if (isOver || (row.state === "active" && row.account_state !== "active")) {
    await deps.store.write((tx) => endSession(tx, caller));
    return undefined;
  }
  if (row.last_seen_at <= now - TOUCH_MS) await touch(deps, sessionId, now);
  return {
    sessionId,
    state: row.state,
    endsAt: row.ends_at,
    startedAt: row.created_at,
    deviceName: row.device_name,
    accountId: row.account_id,
    customerId: row.customer_id,
    username: row.username,
    isKnownBrowser: row.known_browser !== null,
    recoveredAt: row.recovered_at ?? undefined,
  };
}

/** A session that was last used before this moment (ms) has been idle for too long. */
export function idleSince(limits: Limits, now: number): number {
  return now - limits.SESSION_IDLE_SECONDS * SECOND;
}

async function touch(deps: Dependencies, sessionId: string, now: number): Promise<void> {
  await deps.store.write((tx) =>
    tx
      .updateTable("sessions")
      .set({ last_seen_at: now })
      .where("id", "=", sessionId)
      .where("last_seen_at", "<", now)
      .execute(),
  );
}
