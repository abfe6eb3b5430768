import { formTexts } from "~/forms/form-texts.server";
import { openForm } from "~/forms/open-form.server";
import { type Translate, words } from "~/i18n/texts.server";
import type { Visit } from "~/visit/visit.server";
import { continueAfterPassword } from "./continue-after-password.server";
import { signInForm } from "./forms";

/**
 * Answers the sign-in form (specification §4, Login). `username`: the one found by a reminder; the field
 * is then read-only.
 */
export async function answerSignIn(visit: Visit, username?: string) {
  const form = await openForm(visit.request, signInForm, username === undefined ? {} : { username });
  const checked = form.check();
  if (!checked.ok) return form.refuse(visit.t, checked.refused);

  const login = await visit.call("login", checked.values);
  if (login.kind !== "done") return form.refuse(visit.t, login);
  const begun = await continueAfterPassword(visit);
  return begun.kind === "redirect" ? begun.response : form.refuse(visit.t, begun);
}

/** The words of the sign-in form. */
export function signInWords(t: Translate) {
  return {
    texts: formTexts(t, signInForm),
    fieldWords: words(t, {
      submit: "signIn:submit",
      pending: "signIn:pending",
      forgotPassword: "signIn:forgotPassword",
    }),
  };
}
