import type { ExpressionBuilder } from "kysely";
import type { Caller } from "../../caller.server";
import { DAY } from "../../clock.server";
import type { Dependencies } from "../../dependencies.server";
import { newToken, tokenHash } from "../../secrets/keyring.server";
import type { Reader, Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";

// A known browser is one in which the account has signed in with a code in the last 30 days. It has its own tries,
// lock, codes and caps, so that strangers elsewhere can't keep the owner out (S107). It grants no access: a password or
// a code is needed as everywhere.

/** Part of a query over `accounts`: the id of the known browser that makes the call, or null. */
export function knownBrowserId(
  eb: ExpressionBuilder<Tables, "accounts">,
  { browserHash, now }: { readonly browserHash: string; readonly now: number },
) {
  return eb
    .selectFrom("known_browsers")
    .select("known_browsers.id")
    .whereRef("known_browsers.account_id", "=", "accounts.id")
    .where("known_browsers.browser_hash", "=", browserHash)
    .where("known_browsers.ends_at", ">", now);
}

/** Whether any account knows the caller's browser. */
export async function isKnownToAnyone(reader: Reader, { browser }: Caller, now: number): Promise<boolean> {
  const known = await reader
    .selectFrom("known_browsers")
    .select("id")
    .where("browser_hash", "=", tokenHash(browser))
    .where("ends_at", ">", now)
    .limit(1)
    .executeTakeFirst();
  return known !== undefined;
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
