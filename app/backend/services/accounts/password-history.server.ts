import { orderedId } from "../../store/tables.server";
import type { Dependencies } from "../../dependencies.server";
import type { PasswordHash } from "../../secrets/passwords.server";
import type { Tx } from "../../store/store.server";
import type { Account } from "./customers.server";

/** Earlier passwords that a new one must differ from, newest first (013). */
export async function passwordHistory(deps: Dependencies, accountId: string): Promise<PasswordHash[]> {
  return deps.store.read
    .selectFrom("password_history")
    .select(["password_hash as hash", "pepper_version as pepperVersion"])
    .where("account_id", "=", accountId)
    .orderBy("replaced_at", "desc")
    .orderBy("id", "desc")
    .limit(earlier(deps))
    .execute();
}

/** Adds the current password to the history before it is replaced, and deletes entries too old to matter. */
export async function rememberPassword(
  tx: Tx,
  deps: Dependencies,
  account: Account,
  now: number,
): Promise<void> {
  const { accountId, password } = account;
  const values = {
    id: orderedId(now),
    account_id: accountId,
    password_hash: password.hash,
    pepper_version: password.pepperVersion,
    replaced_at: now,
  };
  await tx.insertInto("password_history").values(values).execute();
  await tx
    .deleteFrom("password_history")
    .where("account_id", "=", accountId)
    .where("id", "not in", (query) =>
      query
        .selectFrom("password_history")
        .select("id")
        .where("account_id", "=", accountId)
        .orderBy("replaced_at", "desc")
        .orderBy("id", "desc")
        .limit(earlier(deps)),
    )
    .execute();
}

/** How many earlier passwords count, besides the current one. */
function earlier({ limits }: Dependencies): number {
  return limits.PASSWORD_HISTORY - 1;
}
