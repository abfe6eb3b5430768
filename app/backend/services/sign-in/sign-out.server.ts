import type { Caller } from "../../caller.server";
import { done, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import { audit } from "../audit/write-event.server";
import { endSession } from "./sessions.server";

/** Ends the caller's session, if there is one. */
export async function signOut(parts: Parts, caller: Caller): Promise<Outcome<undefined>> {
  if (caller.session === undefined) return done(undefined);
  await parts.store.write(async (tx) => {
    const accountId = await endSession(tx, caller);
    if (accountId !== undefined) await audit(tx, caller, parts.clock(), { event: "signed-out", accountId });
  });
  return done(undefined);
}
