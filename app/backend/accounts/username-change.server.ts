import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readUsername, usernameKey } from "~/contract/rules";
import { done, type Outcome, type Refusal, refused, SIGNED_OUT } from "~/contract/refusal.server";
import { DAY, SECOND } from "~/platform/time.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { orderedId, type Reader, type Tx } from "../store/store.server";
import { type CodeHolder, confirmAtOnce } from "../codes/confirm.server";
import { type MayRenew, startProof, withProof } from "../factors/proof.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { lockAccount, type Account, type LockedAccount } from "../customers/customers.server";

/** Customers can change only their own username; another one in the path is an invalid field. */
const NOT_OWN_USERNAME: Refusal = { kind: "invalid", fields: ["username"] };

/** Begins a username change: sends a code, unless the account uses another method. Refusal: 015. */
export async function startUsernameChange(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"loginChangeInit">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"loginChangeInit">>> {
  const { accountId, username } = session;
  if (usernameKey(payload.username) !== usernameKey(username)) return NOT_OWN_USERNAME;
  return deps.store.write(async (tx) => {
    const wait = await secondsUntilChange(tx, deps, accountId);
    if (wait > 0) return refused("015", wait);
    const { method, resend } = payload;
    const account = await lockAccount(tx, accountId);
    return startProof(tx, deps, caller, session, account, { purpose: "usernameChange", method, resend });
  });
}

interface Renaming extends CodeHolder {
  readonly account: LockedAccount;
}

/** Changes the username; sessions and trusted devices stay. Refusals: 012, 015. */
export async function confirmUsernameChange(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"loginChangeConfirm">,
  session: ActiveSession,
): Promise<Outcome<MayRenew>> {
  const { accountId, isKnownBrowser } = session;
  const { username: named, ...fields } = payload;
  const { newUsername, authorizationCode: code, method, response } = fields;
  const confirm = await withProof<Renaming, object>(
    deps,
    caller,
    session,
    { code, method, response },
    {
      purpose: "usernameChange",
      // Leaves out the name in the path: the second of a double submit may already use the new one.
      payload: fields,
      findOwner: async (tx) => {
        const account = await lockAccount(tx, accountId);
        if (!account) return SIGNED_OUT;
        if (usernameKey(named) !== usernameKey(account.username)) return NOT_OWN_USERNAME;
        return done({ account, accountId, subject: accountId, isKnownBrowser });
      },
      effect: async (tx, { account }) => {
        const wait = await secondsUntilChange(tx, deps, accountId);
        if (wait > 0) return refused("015", wait);
        const username = readUsername(newUsername);
        if (await isTaken(tx, account, username)) return refused("012");
        await changeUsername(tx, deps, caller, account, username);
        return done({});
      },
      repeat: () => Promise.resolve({}),
    },
  );
  return confirmAtOnce(deps, caller, confirm);
}

/** How long until the customer may change the username again; 0 if now. */
async function secondsUntilChange(
  reader: Reader,
  { limits, clock }: Dependencies,
  accountId: string,
): Promise<number> {
  const window = limits.USERNAME_CHANGE_DAYS * DAY;
  const recent = await reader
    .selectFrom("username_changes")
    .select("changed_at")
    .where("account_id", "=", accountId)
    .where("changed_at", ">", clock() - window)
    .orderBy("changed_at", "desc")
    .limit(limits.USERNAME_CHANGES)
    .execute();
  const oldest = recent[limits.USERNAME_CHANGES - 1];
  return oldest ? Math.ceil((oldest.changed_at + window - clock()) / SECOND) : 0;
}

/** The customer's own current name counts as taken, but not in a different letter case. */
async function isTaken(reader: Reader, account: Account, username: string): Promise<boolean> {
  if (username === account.username) return true;
  const other = await reader
    .selectFrom("accounts")
    .select("id")
    .where("username_key", "=", usernameKey(username))
    .where("id", "<>", account.accountId)
    .executeTakeFirst();
  return other !== undefined;
}

async function changeUsername(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId }: Account,
  username: string,
): Promise<void> {
  const now = deps.clock();
  const values = { username, username_key: usernameKey(username) };
  await tx.updateTable("accounts").set(values).where("id", "=", accountId).execute();
  const change = { id: orderedId(now), account_id: accountId, changed_at: now };
  await tx.insertInto("username_changes").values(change).execute();
  await audit(tx, caller, now, { event: "username-changed", accountId });
  await notify(tx, deps, caller, { event: "username-changed", customerId });
}
