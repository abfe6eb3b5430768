import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/identifiers";
import { FORMS } from "~/forms/forms";
import { textsFor } from "~/i18n/texts.server";
import { answerCodeStep } from "~/screen/code-step.server";
import { codeStatus } from "~/screen/code-words.server";
import { newPasswordLabels, newPasswordWords } from "~/screen/new-password.server";
import { NewPasswordScreen } from "~/screen/new-password-screen";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { beginSession } from "~/session/begin-session.server";
import { leaveNotice } from "~/session/flow.server";
import { continueFlow } from "~/session/flow-gate.server";
import { enter, go, type Redirect } from "~/session/gate.server";
import { usernameForPath } from "~/session/username-for-path.server";

const HERE = "/home/reset-password-submit";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const flow = await continueFlow(request, "reset-password");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("password:reset.title")),
    username: flow.username,
    ...codeStatus(t, flow, true),
    ...newPasswordWords(t, "reset"),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const { username } = await continueFlow(request, "reset-password");
  const backend = backendFor(request);
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.newPassword,
    labels: newPasswordLabels,
    codeSent: true,
    send: (resend) => backend.call("passwordResetInit", { username: usernameForPath(username), ...resend }),
    remember: (sent) => ({ name: "reset-password", ...sent, username }),
    confirm: ({ authorizationCode, newPassword }) =>
      backend.call("passwordResetConfirm", {
        username: usernameForPath(username),
        newPassword,
        authorizationCode: readCode(authorizationCode),
      }),
    done: (_nothing, { newPassword }) => signInWithNewPassword(request, username, newPassword),
    back: () => go(request, "/home/reset-password-init"),
  });
}

/** "Otherwise log in with the new password and go to /cp" (specification §4). If that fails, the start page says what is true. */
async function signInWithNewPassword(
  request: Request,
  username: string,
  password: string,
): Promise<Redirect> {
  const login = await backendFor(request).call("login", { username, password });
  const begun = login.kind === "done" ? await beginSession(request) : undefined;
  if (begun?.kind === "redirect") return begun.response;
  await leaveNotice("password-reset");
  return go(request, "/home");
}

export default function ResetPassword() {
  const screen = useLoaderData<typeof loader>();
  return <NewPasswordScreen {...screen} here={HERE} refused={useActionData<typeof action>()} />;
}
