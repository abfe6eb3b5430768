import { SECOND } from "~/platform/time.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { keyedHash, newToken, tokenHash } from "../secrets/keyring.server";
import type { Tx } from "../store/store.server";

/** Lets one sign-in from the same browser skip the code after a reset (backend contract). */
export async function giveSignInPass(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  accountId: string,
): Promise<void> {
  const values = {
    browser_hash: tokenHash(caller.browser),
    account_id: accountId,
    id: newToken(),
    key_version: deps.keyring.current,
    ends_at: deps.clock() + deps.limits.LOGIN_PASS_SECONDS * SECOND,
    used_at: null,
  };
  await tx
    .insertInto("login_passes")
    .values(values)
    .onConflict((conflict) => conflict.columns(["browser_hash", "account_id"]).doUpdateSet(values))
    .execute();
}

/** The token of the session to start, or of the session that the pass has just started. */
interface UsedPass {
  readonly token: string;
  readonly isRepeated: boolean;
}

/**
 * Uses up the pass of this browser and account. A second submit of the same sign-in gets the session of the first, if
 * it comes within seconds, without that session's cookie, and the session still exists.
 */
export async function takeSignInPass(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  accountId: string,
): Promise<UsedPass | undefined> {
  const now = deps.clock();
  const browserHash = tokenHash(caller.browser);
  const pass = await tx
    .selectFrom("login_passes")
    .select(["id", "key_version", "used_at"])
    .where("browser_hash", "=", browserHash)
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  if (!pass) return undefined;
  if (pass.used_at === null) {
    const taken = await tx
      .updateTable("login_passes")
      .set({ used_at: now })
      .where("id", "=", pass.id)
      .where("ends_at", ">", now)
      .where("used_at", "is", null)
      .returning("id")
      .executeTakeFirst();
    return taken && { token: tokenOfPass(deps, caller, pass), isRepeated: false };
  }
  if (pass.used_at <= now - deps.limits.CONFIRM_REPEAT_SECONDS * SECOND) return undefined;
  const token = tokenOfPass(deps, caller, pass);
  if (token === caller.session) return undefined;
  const session = await tx
    .selectFrom("sessions")
    .select("id")
    .where("id", "=", tokenHash(token))
    .executeTakeFirst();
  return session && { token, isRepeated: true };
}

function tokenOfPass(
  { keyring }: Dependencies,
  caller: Caller,
  pass: { id: string; key_version: number },
): string {
  return keyedHash(keyring, "token", pass.key_version, ["login-pass", pass.id, caller.browser]);
}
