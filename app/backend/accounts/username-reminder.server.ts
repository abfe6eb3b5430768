import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { type Outcome, done, refused } from "~/contract/refusal.server";
import { audit, type Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { Reader, Tx } from "../store/store.server";
import { type CodeHolder, confirmAtOnce } from "../codes/confirm.server";
import { sendCode } from "../codes/send-code.server";
import { countedAsVisitor } from "../limits/code-caps.server";
import { findHolder, typedPolicy, unknownSubject } from "../customers/customers.server";
import { recipientIfAny } from "../customers/phones.server";

type Username = CallResponse<"loginRemindConfirm">;

interface Reminded extends CodeHolder {
  readonly customerId: string | undefined;
}

/** Sends the reminder code to the phone number on the policy. A number without an account gets the same answer (S3). */
export async function startReminder(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"loginRemindInit">,
): Promise<Outcome<undefined>> {
  return deps.store.write(async (tx) => {
    const reminded = await findReminded(tx, deps, caller, payload.policyNo);
    return sendCode(tx, deps, caller, {
      subject: reminded.subject,
      accountId: reminded.accountId,
      purpose: "usernameRemind",
      countedAs: countedAsVisitor(reminded, typedPolicy(deps.keyring, payload.policyNo)),
      recipient: await recipientIfAny(tx, deps, reminded.customerId),
      resend: payload.resend === true,
    });
  });
}

/** Returns the username if the code is right. */
export async function confirmReminder(
  deps: Dependencies,
  caller: Caller,
  payload: ReadRequest<"loginRemindConfirm">,
): Promise<Outcome<Username>> {
  return confirmAtOnce<Reminded, Username>(deps, caller, {
    purpose: "usernameRemind",
    proof: { method: "sms", code: payload.authorizationCode },
    payload,
    findOwner: async (tx) => done(await findReminded(tx, deps, caller, payload.policyNo)),
    effect: async (tx, { accountId }) => {
      if (accountId === undefined) return refused("010");
      await audit(tx, caller, deps.clock(), { event: "username-reminded", accountId });
      return done(await usernameOf(tx, accountId));
    },
    repeat: (tx, code) => usernameOf(tx, code.subject),
  });
}

/** Finds the subject that a reminder code is kept under. */
export async function findReminded(
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  policyNo: string,
): Promise<Reminded> {
  const holder = await findHolder(
    tx,
    deps.keyring,
    { browser: caller.browser, now: deps.clock() },
    { policyNo },
  );
  const registered = holder?.accountId === undefined ? undefined : holder;
  return {
    subject: registered?.accountId ?? unknownSubject(typedPolicy(deps.keyring, policyNo)),
    accountId: registered?.accountId,
    customerId: registered?.customerId,
    isKnownBrowser: registered?.isKnownBrowser === true,
  };
}

async function usernameOf(reader: Reader, accountId: string): Promise<Username> {
  return reader
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
}
