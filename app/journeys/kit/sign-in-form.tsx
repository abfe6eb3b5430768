import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { FormRefusal } from "~/contract/refusal.server";
import { PASSKEY_SIGN_IN } from "~/contract/rules/page";
import { openForm } from "~/forms/open-form.server";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { Button } from "~/ui/button";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import type { Visit } from "~/visit/visit.server";
import { continueAfterPassword } from "./continue-after-password";
import { refusedSignIn } from "./flows";
import { ALERT_ID, FormAlertBox } from "./form-messages";
import { signInForm } from "./forms";
import { answerPasskey, offersPasskeys, PasskeyButton } from "./passkey-sign-in";
import { passkeyAlert } from "./proof-fields";
import { SecretField } from "./secret-field";

/** Props of the sign-in form, with or without a username found by a reminder. */
interface SignInFormProps {
  /** The address the form posts to. */
  readonly action: string;
  readonly refused: RefusedForm | undefined;
  /** Prefilled and read-only. */
  readonly username?: string;
  /** Typed earlier; can still be changed. */
  readonly typed?: string | undefined;
  /** Explains the username, beside it. */
  readonly usernameHelp?: ReactNode;
  /** With a link for customers who have forgotten their username. */
  readonly remindsUsername?: boolean;
}

/** The sign-in form with its alert. The screen renders the dialog. */
export function SignInForm({
  action,
  refused,
  username,
  typed,
  usernameHelp,
  remindsUsername = false,
}: SignInFormProps) {
  const t = useTexts();
  const filled = username ?? typed;
  const {
    form,
    input,
    alert: formAlert,
  } = useScreenForm(signInForm, {
    refused,
    ...(filled !== undefined && { values: { username: filled } }),
  });
  const alert = passkeyAlert(refused, formAlert);
  const withPasskeys = offersPasskeys();
  // The alert describes both fields, so neither has a message of its own.
  const describedByAlert = alert?.speaksForFields && { "aria-describedby": ALERT_ID, error: undefined };
  return (
    <>
      <FormAlertBox alert={alert} formId={form.id} />
      <Form
        method="post"
        action={action}
        {...form}
        data-unless-unchanged
        data-unknown-passkey={refused?.unknownPasskey || undefined}
        className="mt-6 space-y-6"
      >
        <TextField
          {...input("username")}
          {...describedByAlert}
          readOnly={username !== undefined}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          help={usernameHelp}
        />
        <SecretField {...input("password")} {...describedByAlert} autoComplete="current-password" />
        <p>
          <Button type="submit" size="large" data-busy={t("signIn:pending")}>
            {t("signIn:submit")}
          </Button>
          {withPasskeys && <PasskeyButton />}
        </p>
        <ul>
          {remindsUsername && (
            <li>
              <TextLink to="/home/remind-login-init">{t("signIn:forgotUsername")}</TextLink>
            </li>
          )}
          <li>
            <TextLink to="/home/reset-password-init">{t("signIn:forgotPassword")}</TextLink>
          </li>
        </ul>
      </Form>
    </>
  );
}

/**
 * Answers the sign-in form (specification §4, Login). `username`: the username that a reminder has found; the field
 * is then read-only.
 */
export async function answerSignIn(visit: Visit, username?: string) {
  const given: Readonly<Record<string, string>> = username === undefined ? {} : { username };
  const form = openForm(await visit.posted(), signInForm, given);
  if (form.intent === PASSKEY_SIGN_IN.intent) return answerPasskey(visit, given);
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
