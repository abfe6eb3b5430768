import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { readPolicyNo } from "~/contract/identifiers";
import type { Caller } from "../../caller.server";
import { done, refused, type Outcome } from "../../outcome.server";
import type { Parts } from "../../parts.server";
import type { Reader, Tx } from "../../store/store.server";
import { audit } from "../audit.server";
import { confirmAtOnce, type CodeHolder } from "../codes/confirm.server";
import { sendCode } from "../codes/send-code.server";
import { recipientOf } from "./customers.server";
import { findHolder, unknownSubject, hashOfDetails } from "./look-up.server";

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
    const { subject, accountId, customerId } = await findReminded(tx, parts, payload.policyNo);
    const recipient = customerId === undefined ? undefined : await recipientOf(tx, parts.keyring, customerId);
    const typed = typedPolicy(parts, payload.policyNo);
    const resend = payload.resend === true;
    return sendCode(tx, parts, caller, {
      subject,
      accountId,
      purpose: "usernameRemind",
      recipient,
      resend,
      typed,
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
    whose: async (tx) => done(await findReminded(tx, parts, payload.policyNo)),
    effect: async (tx, { accountId }) => {
      if (accountId === undefined) return refused("010");
      await audit(tx, caller, parts.clock(), { event: "username-reminded", accountId });
      return done(await usernameOf(tx, accountId));
    },
    again: (tx, code) => usernameOf(tx, code.subject),
  });
}

/** Finds the subject that a reminder code is kept under. */
export async function findReminded(tx: Tx, parts: Parts, policyNo: string): Promise<Reminded> {
  const holder = await findHolder(tx, parts.keyring, policyNo);
  const registered = holder?.accountId === undefined ? undefined : holder;
  return {
    subject: registered?.accountId ?? unknownSubject(typedPolicy(parts, policyNo)),
    accountId: registered?.accountId,
    customerId: registered?.customerId,
  };
}

function typedPolicy({ keyring }: Parts, policyNo: string): string {
  return hashOfDetails(keyring, "policy", readPolicyNo(policyNo));
}

async function usernameOf(reader: Reader, accountId: string): Promise<Username> {
  return reader
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
}
