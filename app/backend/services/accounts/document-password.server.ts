import type { ReadRequest } from "~/contract/calls.server";
import { readPassword } from "~/contract/rules";
import { done, type Outcome, type Refusal, SIGNED_OUT, TOO_BUSY } from "~/contract/refusal.server";
import { audit, type Caller } from "../../audit-event.server";
import type { Dependencies } from "../../dependencies.server";
import { sealDocumentPassword } from "../../secrets/data-key.server";
import { BUSY } from "../../secrets/passwords.server";
import type { Tx } from "../../store/store.server";
import { confirmWithWork, type CodeHolder } from "../codes/confirm.server";
import { sendOwnCode, type CodeSent } from "../codes/send-code.server";
import { notify } from "../notices/notices.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { lockAccount, type Account } from "./customers.server";

/** It opens documents sent by mail, so it must not be the portal password (S83). */
const SAME_AS_PORTAL_PASSWORD: Refusal = { kind: "invalid", fields: ["password"] };

/** Sends the code for a document password. */
export async function startDocumentPassword(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"documentPasswordInit">,
  session: ActiveSession,
): Promise<Outcome<CodeSent>> {
  const { resend } = payload;
  return deps.store.write((tx) =>
    sendOwnCode(tx, deps, caller, session, { purpose: "documentPassword", resend }),
  );
}

/** Sets the document password, whether or not one exists. Refusal: 422 if it is the portal password. */
export async function confirmDocumentPassword(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"documentPasswordConfirm">,
  { accountId, isKnownBrowser }: ActiveSession,
): Promise<Outcome<undefined>> {
  const password = readPassword(payload.password);
  return confirmWithWork<Account & CodeHolder, undefined, string>(
    deps,
    caller,
    {
      purpose: "documentPassword",
      code: payload.authToken,
      payload,
      findOwner: async (tx) => {
        const account = await lockAccount(tx, accountId);
        return account ? done({ ...account, subject: accountId, isKnownBrowser }) : SIGNED_OUT;
      },
      effect: async (tx, account, _code, comparedWith) => {
        if (account.password.hash !== comparedWith) return TOO_BUSY;
        await save(tx, deps, caller, account, password);
        return done(undefined);
      },
      repeat: () => Promise.resolve(undefined),
    },
    async (account) => {
      const verdict = await deps.passwords.verify(password, account.password, caller.arrivedAt);
      if (verdict === BUSY) return TOO_BUSY;
      return verdict === "wrong" ? done(account.password.hash) : SAME_AS_PORTAL_PASSWORD;
    },
  );
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
