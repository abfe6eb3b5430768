import { tokenHash } from "../../secrets/keyring.server";
import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Dependencies } from "../../dependencies.server";
import { lockAccount } from "../accounts/customers.server";
import { audit } from "../audit/write-event.server";
import { expireCodes } from "../codes/code-rows.server";
import { endSession } from "./sessions.server";

/** Changes that a session can start. Their codes expire with it: a password code would even work signed out. */
const CHANGES = ["password", "usernameChange", "documentPassword"] as const;

/** Ends the caller's session, if any, and the changes under way in it. */
export async function signOut(deps: Dependencies, caller: Caller): Promise<Outcome<undefined>> {
  const { session, browser } = caller;
  if (session === undefined) return done(undefined);
  await deps.store.write(async (tx) => {
    const open = await tx
      .selectFrom("sessions")
      .select(["account_id", "state"])
      .where("id", "=", tokenHash(session))
      .executeTakeFirst();
    if (!open) return;
    // Lock the account first, as a confirm does, so that the two never deadlock.
    await lockAccount(tx, open.account_id);
    const accountId = await endSession(tx, caller);
    if (accountId === undefined) return;
    const now = deps.clock();
    const here = { operator: "=", token: browser } as const;
    if (open.state === "active")
      await expireCodes(tx, { subject: accountId, purposes: CHANGES, browser: here }, now);
    await audit(tx, caller, now, { event: "signed-out", accountId });
  });
  return done(undefined);
}
