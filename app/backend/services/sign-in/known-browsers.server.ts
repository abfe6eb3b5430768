import type { ExpressionBuilder } from "kysely";
import type { Caller } from "../../caller.server";
import { DAY } from "../../clock.server";
import type { Parts } from "../../parts.server";
import { newToken, tokenHash } from "../../secrets/keyed-hashes.server";
import { statement } from "../../store/statement.server";
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

const knowing = statement((db, of: { readonly browserHash: string; readonly now: number }) =>
  db
    .selectFrom("known_browsers")
    .select("id")
    .where("browser_hash", "=", of.browserHash)
    .where("ends_at", ">", of.now)
    .limit(1),
);
const remember = statement((db, { browser_hash, account_id, id, ends_at }: Tables["known_browsers"]) =>
  db
    .insertInto("known_browsers")
    .values({ browser_hash, account_id, id, ends_at })
    .onConflict((conflict) => conflict.columns(["browser_hash", "account_id"]).doUpdateSet({ ends_at })),
);

/** Whether any account knows the caller's browser. */
export async function isKnownToAnyone(reader: Reader, { browser }: Caller, now: number): Promise<boolean> {
  return (await knowing.first(reader, { browserHash: tokenHash(browser), now })) !== undefined;
}

/** Makes the caller's browser known to the account from now on, for as long as its cookie lives. */
export async function rememberBrowser(
  tx: Tx,
  { limits, clock }: Parts,
  caller: Caller,
  accountId: string,
): Promise<void> {
  await remember.rows(tx, {
    browser_hash: tokenHash(caller.browser),
    account_id: accountId,
    id: newToken(),
    ends_at: clock() + limits.KNOWN_BROWSER_DAYS * DAY,
  });
}

/** Makes every other browser of the account unknown: there may have been a reason for the password change. */
export async function forgetOtherBrowsers(tx: Tx, caller: Caller, accountId: string): Promise<void> {
  await tx
    .deleteFrom("known_browsers")
    .where("account_id", "=", accountId)
    .where("browser_hash", "<>", tokenHash(caller.browser))
    .execute();
}
