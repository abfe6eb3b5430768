import { createHash } from "node:crypto";
import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { brokenUsernameRule, readUsername } from "~/contract/rules";
import { defineForm, keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { PadlockPicture } from "~/ui/illustrations";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";
import { signedOut } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { refusedSignIn, remindedUsername } from "../kit/flows";
import { noticeText } from "../kit/notice";
import { StartScreen } from "../kit/start-screen";
import { answerStartStep } from "../kit/steps";

const HERE = "/home/reset-password-init";

/**
 * The form of `/home/reset-password-init`. The form's name is part of its field's id: with "code" in that id, Firefox
 * doesn't take the form for a sign-in form (F32).
 */
export const resetPasswordForm = defineForm("send-reset-code", {
  username: { rule: "identifier", label: "signIn:username.label", sample: "anna.nowak" },
});

/** A password reset, between its two screens. */
export const passwordReset = defineCodeFlow(
  "reset-password",
  "/home/reset-password-init",
  remembering(resetPasswordForm.kept),
);

export const PASSWORD_RESET: Notice = { kind: "success", texts: ["signIn:status.passwordReset"] };

/** The length of the digits that replace an impossible username. */
const STAND_IN_DIGITS = 20;

/**
 * Returns a username that is safe in a URL. Input that can't be a username (`..`, a slash, half a kilobyte) is replaced
 * by digits, always the same for the same input. No username consists of digits only, so the backend treats and counts
 * the digits like any unknown username, and the input never gets into a path.
 */
export function usernameForPath(typed: string): string {
  const username = readUsername(typed);
  if (brokenUsernameRule(username) === undefined) return username;
  const digest = createHash("sha256").update(username).digest("hex");
  return BigInt(`0x${digest}`).toString().slice(0, STAND_IN_DIGITS);
}

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("password:resetInit.title")),
    notice: noticeText(visit),
    values: keptValues(resetPasswordForm, usernameToFillIn(visit)),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  return answerStartStep(visit, {
    form: resetPasswordForm,
    flow: passwordReset,
    remember: ({ username }) => ({ username: readUsername(username) }),
    send: ({ username }) => visit.call("passwordResetInit", { username: usernameForPath(username) }),
    next: "/home/reset-password-submit",
  });
}

/** The username to fill in: typed on this screen or on a refused sign-in form (F38), or shown by a reminder. */
function usernameToFillIn(visit: Visit) {
  return visit.flow(passwordReset) ?? visit.flow(refusedSignIn) ?? visit.flow(remindedUsername);
}

export default function ResetPasswordInit() {
  const t = useTexts();
  const { values, notice } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(resetPasswordForm, { refused, values });
  const username = form.input("username");
  return (
    <StartScreen
      here={HERE}
      header={t("password:resetInit.header")}
      lead={t("password:resetInit.lead")}
      submit={t("password:resetInit.submit")}
      hasWayBack
      picture={<PadlockPicture />}
      notice={notice}
      refused={refused}
      form={form}
      fields={
        <TextField
          {...username}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      }
      more={<TextLink to="/home/remind-login-init">{t("password:resetInit.noUsername")}</TextLink>}
    />
  );
}
