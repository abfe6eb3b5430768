import type { CallName } from "~/contract/calls.server";
import type { Purpose } from "~/contract/purposes";
import type { Refusal } from "~/contract/refusal.server";
import type { Caller } from "../caller.server";
import type { Dependencies } from "../dependencies.server";
import { findResetting } from "../services/accounts/password-reset.server";
import { findRegistering } from "../services/accounts/registration.server";
import { findReminded } from "../services/accounts/username-reminder.server";
import type { CodeHolder } from "../services/codes/confirm.server";
import { refuseInvalidConfirm } from "../services/codes/use-code.server";
import type { Session } from "../services/sign-in/sessions.server";
import type { Tx } from "../store/store.server";

/** The payload as sent, unchecked: any field may be missing or have any type. */
type Sent = Readonly<Record<string, unknown>>;
type Find = (
  tx: Tx,
  deps: Dependencies,
  caller: Caller,
  sent: Sent,
  session: Session | undefined,
) => Promise<Pick<CodeHolder, "subject"> | undefined>;

const bySession: Find = (_tx, _parts, _caller, _sent, session) =>
  Promise.resolve(session && { subject: session.accountId });

/** The confirms, and how to find the owner of the code, as far as a broken payload allows. */
const CONFIRMS: Partial<Record<CallName, { readonly purpose: Purpose; readonly find: Find }>> = {
  activateSessionConfirm: { purpose: "login", find: bySession },
  loginChangeConfirm: { purpose: "usernameChange", find: bySession },
  documentPasswordConfirm: { purpose: "documentPassword", find: bySession },
  registerConfirm: {
    purpose: "register",
    find: async (tx, deps, caller, { policyNo, pid }) =>
      typeof policyNo === "string" && typeof pid === "string"
        ? findRegistering(tx, deps, caller, { policyNo, pid })
        : undefined,
  },
  passwordResetConfirm: {
    purpose: "password",
    find: async (tx, deps, caller, { username }) =>
      typeof username === "string" ? findResetting(tx, deps, caller, username) : undefined,
  },
  loginRemindConfirm: {
    purpose: "usernameRemind",
    find: async (tx, deps, caller, { policyNo }) =>
      typeof policyNo === "string" ? findReminded(tx, deps, caller, policyNo) : undefined,
  },
};

/** Counts a confirm that breaks its schema as a refusal of the caller's code, whatever code was typed. */
export async function countInvalidConfirm(
  deps: Dependencies,
  caller: Caller,
  name: CallName,
  sent: Sent,
  session: Session | undefined,
): Promise<Refusal | undefined> {
  const confirm = CONFIRMS[name];
  if (!confirm) return undefined;
  const { purpose, find } = confirm;
  return deps.store.write(async (tx) => {
    const whose = await find(tx, deps, caller, sent, session);
    return (
      whose && refuseInvalidConfirm(tx, deps, { subject: whose.subject, purpose, browser: caller.browser })
    );
  });
}
