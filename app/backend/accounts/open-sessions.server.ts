import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { NOT_FOUND, done, type Outcome } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { tokenHash } from "../secrets/keyring.server";
import type { Reader, Tx } from "../store/store.server";
import { expireCodes } from "../codes/code-rows.server";
import { idleSince, type ActiveSession } from "../sign-in/sessions.server";
import { lockAccount } from "../customers/customers.server";

/** Lists where the customer is signed in, the session last used first. */
export async function listSessions(
  deps: Dependencies,
  _caller: Caller,
  _payload: unknown,
  { accountId, sessionId }: ActiveSession,
): Promise<Outcome<CallResponse<"sessions">>> {
  const rows = await openSessions(deps.store.read, openNow(deps, accountId))
    .where("state", "=", "active")
    .select(["id", "device_name", "created_at", "last_seen_at"])
    .orderBy("last_seen_at", "desc")
    .orderBy("id")
    .execute();
  return done({
    sessions: rows.map((row) => ({
      id: listedId(row.id),
      deviceName: row.device_name,
      startedAt: new Date(row.created_at).toISOString(),
      lastSeenAt: new Date(row.last_seen_at).toISOString(),
      current: row.id === sessionId,
    })),
  });
}

/**
 * Ends one of the customer's sessions. The id of another customer's session is answered like an unknown id, after the
 * same query.
 */
export async function endListedSession(
  deps: Dependencies,
  caller: Caller,
  { id }: ReadRequest<"endSession">,
  { accountId }: ActiveSession,
): Promise<Outcome<undefined>> {
  return deps.store.write(async (tx) => {
    await lockAccount(tx, accountId);
    const open = await openSessions(tx, openNow(deps, accountId))
      .select("id")
      .where("state", "=", "active")
      .execute();
    const found = open.find((session) => listedId(session.id) === id);
    if (!found) return NOT_FOUND;
    await endSelected(tx, deps, caller, { accountId, operator: "=", sessionId: found.id });
    return done(undefined);
  });
}

/** Ends all sessions of the customer except the caller's, pending ones too. */
export async function endOtherSessions(
  deps: Dependencies,
  caller: Caller,
  _payload: unknown,
  { accountId, sessionId }: ActiveSession,
): Promise<Outcome<undefined>> {
  return deps.store.write(async (tx) => {
    // A confirm that is making a session holds this lock, so the new session ends as well.
    await lockAccount(tx, accountId);
    await endOthers(tx, deps, caller, { accountId, sessionId });
    return done(undefined);
  });
}

/** Ends all sessions of an account except `sessionId`. The caller has locked the account's row. */
export async function endOthers(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, sessionId }: Pick<ActiveSession, "accountId" | "sessionId">,
): Promise<void> {
  await endSelected(tx, deps, caller, { accountId, operator: "<>", sessionId });
}

/** A selection of an account's sessions: the session with this id, or all others. */
interface SessionSelection {
  readonly accountId: string;
  readonly operator: "=" | "<>";
  readonly sessionId: string;
}

/**
 * Ends sessions of an account whose row is locked. Password codes that other browsers asked for expire too, because
 * such a code works without a session.
 */
async function endSelected(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, operator, sessionId }: SessionSelection,
): Promise<void> {
  const ended = await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", operator, sessionId)
    .returning("id")
    .execute();
  if (ended.length === 0) return;
  const now = deps.clock();
  const otherBrowsers = { operator: "<>", token: caller.browser } as const;
  await expireCodes(tx, { subject: accountId, purposes: ["password"], browser: otherBrowsers }, now);
  await audit(tx, caller, now, { event: "sessions-ended", accountId });
}

/** An account and a moment (ms since 1970). A session that was last used at `idle` or before has ended. */
interface OpenSessionsFilter {
  readonly accountId: string;
  readonly now: number;
  readonly idle: number;
}

/** The filter of `openSessions` for the sessions that are open now. */
export function openNow(
  { limits, clock }: Pick<Dependencies, "limits" | "clock">,
  accountId: string,
): OpenSessionsFilter {
  const now = clock();
  return { accountId, now, idle: idleSince(limits, now) };
}

/** A query for an account's sessions that have not ended, pending ones too. */
export function openSessions(reader: Reader, { accountId, now, idle }: OpenSessionsFilter) {
  return reader
    .selectFrom("sessions")
    .where("account_id", "=", accountId)
    .where("ends_at", ">", now)
    .where("last_seen_at", ">", idle);
}

/** The id by which a list shows a session. The real id, the hash of the session's token, stays inside the backend. */
function listedId(sessionId: string): string {
  return tokenHash(`listed|${sessionId}`);
}
