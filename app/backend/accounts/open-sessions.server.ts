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
 * Ends one of the customer's sessions. Another customer's is answered like an unknown id, after the same
 * query.
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
    await end(tx, deps, caller, { accountId, operator: "=", sessionId: found.id });
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

/** Ends all sessions of an account, whose row is locked, except this one. */
export async function endOthers(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, sessionId }: Pick<ActiveSession, "accountId" | "sessionId">,
): Promise<void> {
  await end(tx, deps, caller, { accountId, operator: "<>", sessionId });
}

/** Selects an account's sessions: one, or all but one. */
interface Which {
  readonly accountId: string;
  readonly operator: "=" | "<>";
  readonly sessionId: string;
}

/**
 * Ends sessions of an account whose row is locked. Password codes that other browsers asked for expire too, because
 * such a code also works signed out.
 */
async function end(tx: Tx, deps: Dependencies, caller: Caller, which: Which): Promise<void> {
  const { accountId, operator, sessionId } = which;
  const ended = await tx
    .deleteFrom("sessions")
    .where("account_id", "=", accountId)
    .where("id", operator, sessionId)
    .returning("id")
    .execute();
  if (ended.length === 0) return;
  const now = deps.clock();
  const others = { operator: "<>", token: caller.browser } as const;
  await expireCodes(tx, { subject: accountId, purposes: ["password"], browser: others }, now);
  await audit(tx, caller, now, { event: "sessions-ended", accountId });
}

/** An account's sessions at one moment (ms since 1970). A session last used at `idle` or before has ended. */
interface OpenAt {
  readonly accountId: string;
  readonly now: number;
  readonly idle: number;
}

/** Selects an account's sessions as they are now. */
export function openNow(
  { limits, clock }: Pick<Dependencies, "limits" | "clock">,
  accountId: string,
): OpenAt {
  const now = clock();
  return { accountId, now, idle: idleSince(limits, now) };
}

/** A query for an account's sessions that have not ended, pending ones too. */
export function openSessions(reader: Reader, { accountId, now, idle }: OpenAt) {
  return reader
    .selectFrom("sessions")
    .where("account_id", "=", accountId)
    .where("ends_at", ">", now)
    .where("last_seen_at", ">", idle);
}

/** A session's id in a list. Its real id, the hash of its token, stays inside the backend. */
function listedId(sessionId: string): string {
  return tokenHash(`listed|${sessionId}`);
}
