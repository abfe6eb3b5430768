import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../../caller.server";
import { NOT_FOUND, done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { tokenHash } from "../../secrets/keyed-hashes.server";
import type { Reader, Tx } from "../../store/store.server";
import { audit } from "../audit.server";
import { expireCodesElsewhere } from "../codes/code-rows.server";
import { idleSince, type ActiveSession } from "../sign-in/sessions.server";

/** Lists where the customer is signed in, the session last used first. */
export async function openSessions(
  parts: Parts,
  _caller: Caller,
  _payload: unknown,
  { accountId, sessionId }: ActiveSession,
): Promise<Outcome<CallResponse<"sessions">>> {
  const rows = await activeOnes(parts.store.read, parts, accountId)
    .select(["device_name", "created_at", "last_seen_at"])
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

/** Ends one of the customer's sessions. Somebody else's is answered like one that doesn't exist, after the same query. */
export async function endListedSession(
  parts: Parts,
  caller: Caller,
  { id }: ReadRequest<"endSession">,
  { accountId }: ActiveSession,
): Promise<Outcome<undefined>> {
  return parts.store.write(async (tx) => {
    const open = await activeOnes(tx, parts, accountId).execute();
    const found = open.find((session) => listedId(session.id) === id);
    if (!found) return NOT_FOUND;
    return (await end(tx, parts, caller, accountId, [found.id])) ? done(undefined) : NOT_FOUND;
  });
}

/** Ends all sessions of the customer but the caller's, those that wait for a code too. */
export async function endOtherSessions(
  parts: Parts,
  caller: Caller,
  _payload: unknown,
  { accountId, sessionId }: ActiveSession,
): Promise<Outcome<undefined>> {
  return parts.store.write(async (tx) => {
    const others = await tx
      .selectFrom("sessions")
      .select("id")
      .where("account_id", "=", accountId)
      .where("id", "<>", sessionId)
      .execute();
    await end(
      tx,
      parts,
      caller,
      accountId,
      others.map(({ id }) => id),
    );
    return done(undefined);
  });
}

/**
 * Ends these sessions, and returns whether there still was one of them. A code for a new password works signed out, too;
 * so that nobody goes on with one, those that other browsers have asked for expire.
 */
async function end(tx: Tx, parts: Parts, caller: Caller, accountId: string, ids: readonly string[]) {
  if (ids.length === 0) return false;
  const now = parts.clock();
  const { browser } = caller;
  // Codes before sessions, as confirms lock them.
  await expireCodesElsewhere(tx, { subject: accountId, purpose: "password", browser }, now);
  const ended = await tx.deleteFrom("sessions").where("id", "in", ids).returning("id").execute();
  if (ended.length > 0) await audit(tx, caller, now, { event: "sessions-ended", accountId });
  return ended.length > 0;
}

function activeOnes(reader: Reader, { limits, clock }: Parts, accountId: string) {
  const now = clock();
  return reader
    .selectFrom("sessions")
    .select("id")
    .where("account_id", "=", accountId)
    .where("state", "=", "active")
    .where("ends_at", ">", now)
    .where("last_seen_at", ">", idleSince(limits, now));
}

/** What a list calls a session. Its own id, the hash of its token, stays inside. */
function listedId(sessionId: string): string {
  return tokenHash(`listed|${sessionId}`);
}
