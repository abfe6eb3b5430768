import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/identifiers";
import { FORMS } from "~/forms/forms";
import { textsFor } from "~/i18n/texts.server";
import { answerCodeStep } from "~/screen/code-step.server";
import { codeStatus } from "~/screen/code-words.server";
import { newPasswordLabels, newPasswordWords } from "~/screen/new-password.server";
import { NewPasswordScreen } from "~/screen/new-password-screen";
import { customerTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { forgetFlow, leaveNotice, readFlow } from "~/session/flow.server";
import { enter, enterToConfirm, go } from "~/session/gate.server";

const HERE = "/home/change-password";

export async function loader({ request }: LoaderFunctionArgs) {
  const { username } = await enter(request, "signed-in");
  const t = await textsFor(request);
  return {
    title: customerTitle(t, t("password:change.title")),
    username,
    ...codeStatus(t, await readFlow(request, "change-password"), false),
    ...newPasswordWords(t, "change"),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const customer = await enterToConfirm(request, "signed-in");
  const flow = await readFlow(request, "change-password");
  const username = flow?.username ?? (customer ?? (await enter(request, "signed-in"))).username;
  const backend = backendFor(request);
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.newPassword,
    labels: newPasswordLabels,
    codeSent: flow?.codeSentAt !== undefined,
    // Without a session a code for a new password is asked for at the start page.
    send: (resend) =>
      customer
        ? backend.call("passwordResetInit", { username, ...resend })
        : Promise.resolve({ kind: "unauthenticated" }),
    remember: (sent) => ({ name: "change-password", ...sent, username }),
    confirm: ({ authorizationCode, newPassword }) =>
      backend.call("passwordResetConfirm", {
        username,
        newPassword,
        authorizationCode: readCode(authorizationCode),
      }),
    done: async () => {
      await leaveNotice("password-changed");
      return go(request, "/cp/profile");
    },
    back: () => {
      forgetFlow();
      return go(request, "/cp/profile");
    },
  });
}

export default function ChangePassword() {
  const screen = useLoaderData<typeof loader>();
  return <NewPasswordScreen {...screen} here={HERE} refused={useActionData<typeof action>()} />;
}
