import { randomInt, randomUUID } from "node:crypto";
import type { ReadRequest } from "~/contract/calls.server";
import { readPassword, usernameKey } from "~/contract/rules";
import { type Outcome, TOO_BUSY, done, refused } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import { BUSY, type PasswordHash } from "../secrets/passwords.server";
import type { Tx } from "../store/store.server";
import { type CodeHolder, confirmWithWork, tokenOfConfirm } from "../codes/confirm.server";
import { sendCode } from "../codes/send-code.server";
import { countedAsVisitor, requestCaps } from "../limits/code-caps.server";
import { spendOwn, spendShared } from "../limits/windows.server";
import { endSession, rememberBrowser, startSession } from "../sign-in/sessions.server";
import type { SignInWay } from "~/contract/customer-area.server";
import {
  DECOY_ID,
  findHolder,
  lockCustomer,
  typedHolder,
  unknownSubject,
} from "../customers/customers.server";
import { recipientIfAny } from "../customers/phones.server";

interface Registering extends CodeHolder {
  readonly customerId: string | undefined;
  readonly hasAccount: boolean;
}

/** The details a visitor claims. */
type Claim = Pick<ReadRequest<"registerInit">, "policyNo" | "pid">;

/**
 * Sends the registration code to the phone number on the policy. Refusal: 014, only if policy number and identifier
 * match and the customer has an account. All other details get the same answer (S4).
 */
export async function startRegistration(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"registerInit">,
): Promise<Outcome<undefined>> {
  return deps.store.write(async (tx) => {
    const registering = await findRegistering(tx, deps, caller, payload);
    const { subject, customerId, hasAccount } = registering;
    const countedAs = countedAsVisitor(registering, typedHolder(deps.keyring, payload));
    if (hasAccount) {
      const [caps, now] = [requestCaps(deps, caller, countedAs), deps.clock()];
      const tooMany = await spendOwn(tx, caps, now);
      if (tooMany) return tooMany.refusal;
      await spendShared(tx, caps.shared, now);
      return refused("014");
    }
    return sendCode(tx, deps, caller, {
      subject,
      purpose: "register",
      countedAs,
      recipient: await recipientIfAny(tx, deps, customerId),
      resend: payload.resend === true,
    });
  });
}

/** Creates the account with a generated username and signs in: returns the session's token. Refusal: 014. */
export async function confirmRegistration(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"registerConfirm">,
): Promise<Outcome<{ readonly session: string }>> {
  return confirmWithWork<Registering, { readonly session: string }, PasswordHash>(
    deps,
    caller,
    {
      purpose: "register",
      proof: { method: "sms", code: payload.authorizationCode },
      payload,
      findOwner: async (tx) => {
        const { customerId } = await findRegistering(tx, deps, caller, payload);
        // Without a customer too, so that it takes as long (S108).
        await lockCustomer(tx, customerId ?? DECOY_ID);
        // Someone may have registered before the lock was taken.
        return done(await findRegistering(tx, deps, caller, payload));
      },
      effect: async (tx, { customerId, hasAccount }, code, password) => {
        if (customerId === undefined || hasAccount) return refused("014");
        const token = tokenOfConfirm(deps, caller, code, "session");
        await makeAccount(tx, deps, caller, { customerId, password, token });
        return done({ session: token });
      },
      repeat: (_tx, code) => Promise.resolve({ session: tokenOfConfirm(deps, caller, code, "session") }),
    },
    async () => {
      const hash = await deps.passwords.hash(readPassword(payload.password), caller.arrivedAt);
      return hash === BUSY ? TOO_BUSY : done(hash);
    },
  );
}

/** Finds the subject that a registration code is kept under. */
export async function findRegistering(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  claim: Claim,
): Promise<Registering> {
  const holder = await findHolder(tx, deps.keyring, { browser: caller.browser, now: deps.clock() }, claim);
  return {
    subject: holder?.customerId ?? unknownSubject(typedHolder(deps.keyring, claim)),
    customerId: holder?.customerId,
    hasAccount: holder?.accountId !== undefined,
    // No browser can be known before there is an account.
    isKnownBrowser: false,
  };
}

async function makeAccount(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  { customerId, password, token }: { customerId: string; password: PasswordHash; token: string },
): Promise<void> {
  const now = deps.clock();
  const accountId = randomUUID();
  const username = await freeUsername(tx);
  const values = {
    id: accountId,
    customer_id: customerId,
    username,
    username_key: usernameKey(username),
    password_hash: password.hash,
    pepper_version: password.pepperVersion,
    state: "active" as const,
    created_at: now,
  };
  await tx.insertInto("accounts").values(values).execute();
  await audit(tx, caller, now, { event: "account-registered", accountId });
  const way: SignInWay = "registration";
  await audit(tx, caller, now, { event: "signed-in", accountId, reason: way });
  await endSession(tx, caller);
  await rememberBrowser(tx, deps, caller, accountId);
  await startSession(tx, deps, caller, { accountId, state: "active", startedAt: now, token });
}

const NAME_DIGITS = 8;

/** `klient` and eight random digits: a hundred million names, so a taken one is rare. */
async function freeUsername(tx: Tx): Promise<string> {
  for (;;) {
    const username = `klient${String(randomInt(10 ** NAME_DIGITS)).padStart(NAME_DIGITS, "0")}`;
    const taken = await tx
      .selectFrom("accounts")
      .select("id")
      .where("username_key", "=", username)
      .executeTakeFirst();
    if (!taken) return username;
  }
}
