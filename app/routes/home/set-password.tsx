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
import { forgetFlow } from "~/session/flow.server";
import { continueFlow } from "~/session/flow-gate.server";
import { enter, go } from "~/session/gate.server";

const HERE = "/home/set-password";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const flow = await continueFlow(request, "register");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("password:set.title")),
    step: { text: t("common:a11y.step", { current: 2, total: 2 }), current: 2, total: 2 },
    ...codeStatus(t, flow, true),
    ...newPasswordWords(t, "set"),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const { policyNo, pid } = await continueFlow(request, "register");
  const backend = backendFor(request);
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.newPassword,
    labels: newPasswordLabels,
    codeSent: true,
    send: (resend) => backend.call("registerInit", { policyNo, pid, ...resend }),
    remember: (sent) => ({ name: "register", ...sent, policyNo, pid }),
    confirm: ({ authorizationCode, newPassword }) =>
      backend.call("registerConfirm", {
        policyNo,
        pid,
        password: newPassword,
        authorizationCode: readCode(authorizationCode),
      }),
    done: () => {
      forgetFlow();
      return go(request, "/home/confirm-login");
    },
    back: () => go(request, "/home/register"),
  });
}

export default function SetPassword() {
  const screen = useLoaderData<typeof loader>();
  return <NewPasswordScreen {...screen} here={HERE} refused={useActionData<typeof action>()} />;
}
