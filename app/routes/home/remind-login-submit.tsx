import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/identifiers";
import { FORMS } from "~/forms/forms";
import { useScreenForm } from "~/forms/screen-form";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { CodeScreen } from "~/screen/code-screen";
import { answerCodeStep } from "~/screen/code-step.server";
import { codeStatus, codeWords } from "~/screen/code-words.server";
import { ruleTexts } from "~/screen/form-texts.server";
import { secretWords } from "~/screen/secret-words.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { rememberFlow } from "~/session/flow.server";
import { continueFlow } from "~/session/flow-gate.server";
import { enter, go } from "~/session/gate.server";

const HERE = "/home/remind-login-submit";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const flow = await continueFlow(request, "remind-username");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("username:remindSubmit.title")),
    ...codeStatus(t, flow, true),
    code: codeWords(t),
    secret: secretWords(t),
    texts: ruleTexts(t, FORMS.code),
    words: words(t, {
      header: "username:remindSubmit.header",
      lead: "username:remindSubmit.lead",
      submit: "username:remindSubmit.next",
      back: "username:remindSubmit.back",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const { policyNo } = await continueFlow(request, "remind-username");
  const backend = backendFor(request);
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.code,
    labels: (t) => ({ authorizationCode: t("common:code.label") }),
    codeSent: true,
    send: (resend) => backend.call("loginRemindInit", { policyNo, ...resend }),
    remember: (sent) => ({ name: "remind-username", ...sent, policyNo }),
    confirm: ({ authorizationCode }) =>
      backend.call("loginRemindConfirm", { policyNo, authorizationCode: readCode(authorizationCode) }),
    done: async ({ username }) => {
      await rememberFlow({ name: "reminded", username });
      return go(request, "/home/remind-login-final");
    },
    back: () => go(request, "/home/remind-login-init"),
  });
}

export default function RemindUsername() {
  const { texts, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.code, { refused, texts });
  return <CodeScreen {...screen} here={HERE} form={form} refused={refused} />;
}
