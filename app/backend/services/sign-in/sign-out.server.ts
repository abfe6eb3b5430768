import { tokenHash } from "../../secrets/keyed-hashes.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { lockAccount } from "../accounts/look-up.server";
import { audit } from "../audit/write-event.server";
import { expireCodes } from "../codes/code-rows.server";
import { endSession } from "./sessions.server";

/** The changes that a session can start. Their codes end with it; one for a new password would work signed out, too. */
const CHANGES = ["password", "usernameChange", "documentPassword"] as const;

/** Ends the caller's session, if there is one, and the changes that were under way in it. */
export async function signOut(parts: Parts, caller: Caller): Promise<Outcome<undefined>> {
  const { session, browser } = caller;
  if (session === undefined) return done(undefined);
  await parts.store.write(async (tx) => {
    const open = await tx
      .selectFrom("sessions")
      .select(["account_id", "state"])
      .where("id", "=", tokenHash(session))
      .executeTakeFirst();
    if (!open) return;
    // First, as in a confirm: the session's code is used or expires, and neither waits for the other.
    await lockAccount(tx, open.account_id);
    const accountId = await endSession(tx, caller);
    if (accountId === undefined) return;
    const now = parts.clock();
    const here = { operator: "=", token: browser } as const;
    if (open.state === "active")
      await expireCodes(tx, { subject: accountId, purposes: CHANGES, browser: here }, now);
    await audit(tx, caller, now, { event: "signed-out", accountId });
  });
  return done(undefined);
}
