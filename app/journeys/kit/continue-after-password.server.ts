import type { FormRefusal } from "~/contract/refusal.server";
import type { Redirect } from "~/visit/redirect.server";
import type { Visit } from "~/visit/visit.server";
import { signInFlow } from "./sign-in-flow.server";

/** Where a right password leads, or why it leads nowhere yet. */
export type AfterPassword = { readonly kind: "redirect"; readonly response: Redirect } | FormRefusal;

/**
 * What follows a right password (specification §4, Login): the session call; on a device that is not known, the code is
 * requested at once. A code that was sent moments ago is found, not sent again.
 */
export async function continueAfterPassword(visit: Visit): Promise<AfterPassword> {
  const init = await visit.backend.call("userInit", {});
  if (init.kind !== "not-activated") {
    const opened = await visit.redirectOnFailure(init);
    if (opened.kind !== "done") return opened;
    visit.forgetFlow();
    return { kind: "redirect", response: visit.redirectTo("/cp") };
  }
  const sent = await visit.call("activateSessionInit", {});
  if (sent.kind === "done") {
    await visit.remember(signInFlow, { codeSentAt: Date.now(), resent: false, trust: true });
    return { kind: "redirect", response: visit.redirectTo("/home/mfa") };
  }
  // A dialog ends here, and so does the half-open session: its button leads to the start page (specification §8).
  if (sent.kind === "refused") await visit.signOut();
  return sent;
}
