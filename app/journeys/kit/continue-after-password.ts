import { isWait, type FormRefusal } from "~/contract/refusal.server";
import type { Redirect } from "~/visit/browser.server";
import type { Notice } from "~/visit/flow.server";
import type { CustomerInfo, Visit } from "~/visit/visit.server";
import { signInFlow } from "./flows";
import { afterSignIn } from "./notice";
import { begunMemory } from "./steps";

/** The redirect after a right password, or the reason why the sign-in can't continue. */
type AfterPassword = { readonly kind: "redirect"; readonly response: Redirect } | FormRefusal;

/**
 * Continues after a right password (specification §4, Login): loads the customer's details, makes the session call and,
 * on a device that is not trusted, requests the code at once. A code sent moments ago is reused, not sent again. If none
 * can be sent now, the code screen says so (F33).
 * @param noticeFor the notice on the first page after the sign-in
 */
export async function continueAfterPassword(
  visit: Visit,
  noticeFor?: (customer: CustomerInfo) => Promise<Notice>,
): Promise<AfterPassword> {
  const info = await visit.call("userInfo", {});
  if (info.kind !== "done") return giveUp(visit, info);
  const notice = await noticeFor?.(info.value);
  const init = await visit.backend.call("userInit", {});
  if (init.kind !== "not-activated") {
    const opened = await visit.redirectOnFailure(init);
    if (opened.kind !== "done") return giveUp(visit, opened);
    await visit.leaveNotice(afterSignIn(notice));
    return { kind: "redirect", response: visit.redirectTo("/cp") };
  }
  return beginConfirming(visit, { trust: true, notice });
}

/**
 * Begins to confirm a pending session: requests the code, or lets a second factor confirm. If nothing can be sent or
 * compared now, the screen says so.
 */
export async function beginConfirming(
  visit: Visit,
  { trust, notice }: { readonly trust: boolean; readonly notice?: Notice | undefined },
): Promise<AfterPassword> {
  const sent = await visit.call("activateSessionInit", {});
  if (sent.kind === "done") {
    await visit.remember(signInFlow, { ...begunMemory(sent.value, { resent: false }), trust, notice });
    return { kind: "redirect", response: visit.redirectTo("/home/mfa") };
  }
  if (isWait(sent)) {
    const noCodeUntil = sent.kind === "rate-limited" ? Date.now() + sent.retryAfterSeconds * 1000 : undefined;
    await visit.remember(signInFlow, {
      resent: false,
      ...visit.flow(signInFlow),
      trust,
      notice,
      noCodeUntil,
    });
    return { kind: "redirect", response: visit.redirectTo("/home/mfa") };
  }
  return giveUp(visit, sent);
}

/** Ends the pending session, because the refusal's dialog leads to the start page (specification §8). */
async function giveUp(visit: Visit, refusal: FormRefusal): Promise<FormRefusal> {
  if (refusal.kind === "refused") await visit.signOut();
  return refusal;
}
