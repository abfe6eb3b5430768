import type { FormRefusal } from "~/contract/refusal.server";
import { openForm } from "~/forms/open-form.server";
import type { Visit } from "~/visit/visit.server";
import { continueAfterPassword } from "./continue-after-password";
import { refusedSignIn } from "./flows";
import { signInForm } from "./forms";

/**
 * Answers the sign-in form (specification §4, Login). `username`: the one found by a reminder; the field
 * is then read-only.
 */
export async function answerSignIn(visit: Visit, username?: string) {
  const form = openForm(await visit.posted(), signInForm, username === undefined ? {} : { username });
  const checked = form.check();
  if (!checked.ok) return form.refuse(visit.t, checked.refused);

  const login = await visit.call("login", checked.values);
  if (login.kind !== "done") {
    const isUsernameKnown = username !== undefined;
    if (!isUsernameKnown && mayResetPassword(login))
      await visit.remember(refusedSignIn, { username: checked.values.username });
    return form.refuse(visit.t, login, { isUsernameKnown });
  }
  const begun = await continueAfterPassword(visit);
  return begun.kind === "redirect" ? begun.response : form.refuse(visit.t, begun);
}

/** Whether the refusal offers a new password: a wrong one, or a lock that a new password ends. */
function mayResetPassword(login: FormRefusal): boolean {
  if (login.kind !== "refused") return false;
  return login.errorCode === "101" || (login.errorCode === "106" && login.retryAfterSeconds !== undefined);
}
