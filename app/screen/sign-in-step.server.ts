import { FORMS } from "~/forms/forms";
import { openForm } from "~/forms/open-form.server";
import { textsFor, type Translate } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { backendFor } from "~/session/backend.server";
import { beginSession } from "~/session/begin-session.server";
import { settle } from "~/session/gate.server";
import { formTexts, ruleTexts } from "./form-texts.server";
import { secretWords } from "./secret-words.server";

/**
 * Answers the sign-in form (specification §4, Login). `username`: the one that a reminder found; then the field is only
 * for show.
 */
export async function answerSignIn(request: Request, username?: string) {
  const t = await textsFor(request);
  const texts = formTexts(t, FORMS.login, {
    username: t("login:username.label"),
    password: t("login:password.label"),
  });
  const form = await openForm(request, FORMS.login, username === undefined ? {} : { username });
  const checked = form.check();
  if (!checked.ok) return form.refuse(texts, checked.refused);

  const login = await settle(request, await backendFor(request).call("login", checked.values));
  if (login.kind !== "done") return form.refuse(texts, login);
  const begun = await beginSession(request);
  return begun.kind === "redirect" ? begun.response : form.refuse(texts, begun);
}

/** The words of the sign-in form. */
export function signInWords(t: Translate) {
  return {
    texts: ruleTexts(t, FORMS.login),
    secret: secretWords(t),
    fieldWords: words(t, {
      username: "login:username.label",
      password: "login:password.label",
      submit: "login:submit",
      pending: "login:pending",
      forgotPassword: "login:forgotPassword",
    }),
  };
}
