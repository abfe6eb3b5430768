import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readPassword } from "~/contract/rules";
import { done, type Outcome, type Refusal, SIGNED_OUT, TOO_BUSY } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { sealDocumentPassword } from "../secrets/data-key.server";
import { BUSY } from "../secrets/passwords.server";
import type { Tx } from "../store/store.server";
import { confirmWithWork, type CodeHolder } from "../codes/confirm.server";
import { type MayRenew, startProof, withProof } from "../factors/proof.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { lockAccount, type Account, type LockedAccount } from "../customers/customers.server";

/** It opens documents sent by mail, so it must not be the portal password (S83). */
const SAME_AS_PORTAL_PASSWORD: Refusal = { kind: "invalid", fields: ["password"] };

/** Begins to set a document password: sends a code, unless the account uses another method. */
export async function startDocumentPassword(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"documentPasswordInit">,
  session: ActiveSession,
): Promise<Outcome<CallResponse<"documentPasswordInit">>> {
  const { method, resend } = payload;
  return deps.store.write(async (tx) => {
    const account = await lockAccount(tx, session.accountId);
    return startProof(tx, deps, caller, session, account, { purpose: "documentPassword", method, resend });
  });
}

interface Setting extends CodeHolder {
  readonly account: LockedAccount;
}

/** Sets the document password, whether or not one exists. Refusal: 422 if it is the portal password. */
export async function confirmDocumentPassword(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"documentPasswordConfirm">,
  session: ActiveSession,
): Promise<Outcome<MayRenew>> {
  const { accountId, isKnownBrowser } = session;
  const { authToken: code, method, response } = payload;
  const password = readPassword(payload.password);
  const confirm = await withProof<Setting, object, string>(
    deps,
    caller,
    session,
    { code, method, response },
    {
      purpose: "documentPassword",
      payload,
      findOwner: async (tx) => {
        const account = await lockAccount(tx, accountId);
        return account ? done({ account, accountId, subject: accountId, isKnownBrowser }) : SIGNED_OUT;
      },
      effect: async (tx, { account }, _code, comparedWith) => {
        if (account.password.hash !== comparedWith) return TOO_BUSY;
        await save(tx, deps, caller, account, password);
        return done({});
      },
      repeat: () => Promise.resolve({}),
    },
  );
  return confirmWithWork(deps, caller, confirm, async ({ account }) => {
    const verdict = await deps.passwords.verify(password, account.password, caller.arrivedAt);
    if (verdict === BUSY) return TOO_BUSY;
    return verdict === "wrong" ? done(account.password.hash) : SAME_AS_PORTAL_PASSWORD;
  });
}

async function save(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { accountId, customerId }: Account,
  password: string,
): Promise<void> {
  const now = deps.clock();
  const kept = sealDocumentPassword(deps.keyring, accountId, password);
  const values = {
    key_version: kept.keyVersion,
    wrapped_key: kept.wrappedKey,
    password_sealed: kept.sealed,
    changed_at: now,
  };
  await tx
    .insertInto("document_passwords")
    .values({ account_id: accountId, ...values })
    .onConflict((conflict) => conflict.column("account_id").doUpdateSet(values))
    .execute();
  await audit(tx, caller, now, { event: "document-password-set", accountId });
  await notify(tx, deps, caller, { event: "document-password-set", customerId });
}
