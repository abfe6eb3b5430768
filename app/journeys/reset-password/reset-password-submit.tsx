import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { signInTitle } from "~/shell/titles";
import { signedOut } from "~/visit/gate.server";
import type { Weakness } from "~/contract/rules/weak-password";
import type { Redirect } from "~/visit/browser.server";
import type { CustomerInfo, Visit } from "~/visit/visit.server";
import { answerConfirm } from "../kit/steps";
import { continueAfterPassword } from "../kit/continue-after-password";
import { findWeakness, passwordChangedNotice, weakPasswordNotice } from "../kit/password-advice";
import { newPasswordForms, NewPasswordScreen } from "../kit/new-password";
import { smsProof } from "../kit/proof";
import { PASSWORD_RESET, passwordReset, usernameForPath } from "./reset-password-init";

const HERE = "/home/reset-password-submit";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const flow = await visit.requireFlow(passwordReset);
  const { t } = visit;
  return {
    title: signInTitle(t, t("password:reset.title")),
    proof: smsProof(HERE, flow),
    username: flow.username,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  const { username } = await visit.requireFlow(passwordReset);
  return answerConfirm(visit, {
    here: HERE,
    signedOut: true,
    forms: newPasswordForms,
    flow: passwordReset,
    remember: (_posted, proof) => visit.remember(passwordReset, { username, ...proof }),
    send: (resend) => visit.call("passwordResetInit", { username: usernameForPath(username), ...resend }),
    confirm: ({ authorizationCode = "" }, { newPassword }) =>
      visit.call("passwordResetConfirm", {
        username: usernameForPath(username),
        newPassword,
        authorizationCode,
      }),
    advise: ({ newPassword }) => findWeakness(newPassword, [username]),
    done: (_nothing, { newPassword }, weakness) =>
      signInWithNewPassword(visit, { username, password: newPassword, weakness }),
    back: () => visit.redirectTo("/home/reset-password-init"),
  });
}

/** "Otherwise log in with the new password and go to /cp" (specification §4). If that fails, the start page says what happened. */
async function signInWithNewPassword(
  visit: Visit,
  { weakness, ...details }: { username: string; password: string; weakness: Weakness | undefined },
): Promise<Redirect> {
  const login = await visit.backend.call("login", details);
  // Only now is the name known.
  const noticeFor = async ({ name }: CustomerInfo) =>
    passwordChangedNotice(weakness ?? (await findWeakness(details.password, [details.username, name])));
  const begun = login.kind === "done" ? await continueAfterPassword(visit, noticeFor) : undefined;
  if (begun?.kind === "redirect") return begun.response;
  await visit.leaveNotice(
    weakness ? weakPasswordNotice(weakness, "signIn:status.passwordReset") : PASSWORD_RESET,
  );
  return visit.redirectTo("/home");
}

export default function ResetPasswordSubmit() {
  const { proof, username } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return <NewPasswordScreen mode="reset" proof={proof} username={username} signedOut refused={refused} />;
}
