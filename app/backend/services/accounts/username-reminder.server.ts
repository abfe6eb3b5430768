import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import type { Caller } from "../../caller.server";
import { done, refused, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import type { Reader, Tx } from "../../store/store.server";
import { audit } from "../audit/write-event.server";
import { confirmAtOnce, type CodeHolder } from "../codes/confirm.server";
import { purseOfVisitor } from "../codes/code-caps.server";
import { sendCode } from "../codes/send-code.server";
import { recipientIfAny } from "./customers.server";
import { findHolder, unknownSubject } from "./look-up.server";
import { typedPolicy } from "./typed-details.server";

type Username = CallResponse<"loginRemindConfirm">;

interface Reminded extends CodeHolder {
  readonly customerId: string | undefined;
}

/** Sends the reminder code to the phone number on the policy. A number without an account gets the same answer (S3). */
export async function startReminder(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginRemindInit">,
): Promise<Outcome<undefined>> {
  return parts.store.write(async (tx) => {
    const reminded = await findReminded(tx, parts, caller, payload.policyNo);
    return sendCode(tx, parts, caller, {
      subject: reminded.subject,
      accountId: reminded.accountId,
      purpose: "usernameRemind",
      purse: purseOfVisitor(reminded, typedPolicy(parts.keyring, payload.policyNo)),
      recipient: await recipientIfAny(tx, parts.keyring, reminded.customerId),
      resend: payload.resend === true,
    });
  });
}

/** Returns the username if the code is right. */
export async function confirmReminder(
  parts: Parts,
  caller: Caller,
  payload: ReadRequest<"loginRemindConfirm">,
): Promise<Outcome<Username>> {
  return confirmAtOnce<Reminded, Username>(parts, caller, {
    purpose: "usernameRemind",
    code: payload.authorizationCode,
    payload,
    whose: async (tx) => done(await findReminded(tx, parts, caller, payload.policyNo)),
    effect: async (tx, { accountId }) => {
      if (accountId === undefined) return refused("010");
      await audit(tx, caller, parts.clock(), { event: "username-reminded", accountId });
      return done(await usernameOf(tx, accountId));
    },
    again: (tx, code) => usernameOf(tx, code.subject),
  });
}

/** Finds the subject that a reminder code is kept under. */
export async function findReminded(
  tx: Tx,
  parts: Parts,
  caller: Caller,
  policyNo: string,
): Promise<Reminded> {
  const holder = await findHolder(
    tx,
    parts.keyring,
    { browser: caller.browser, now: parts.clock() },
    { policyNo },
  );
  const registered = holder?.accountId === undefined ? undefined : holder;
  return {
    subject: registered?.accountId ?? unknownSubject(typedPolicy(parts.keyring, policyNo)),
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
