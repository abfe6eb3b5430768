import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FORMS } from "~/forms/forms";
import { useScreenForm } from "~/forms/screen-form";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { ruleTexts } from "~/screen/form-texts.server";
import { noticeOf } from "~/screen/notice.server";
import { StartScreen } from "~/screen/start-screen";
import { answerStartStep } from "~/screen/start-step.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { readFlow } from "~/session/flow.server";
import { enter } from "~/session/gate.server";
import { TextField } from "~/ui/text-field";

const HERE = "/home/remind-login-init";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("username:remindInit.title")),
    notice: await noticeOf(request, t),
    values: { policyNo: (await readFlow(request, "remind-username"))?.policyNo ?? "" },
    texts: ruleTexts(t, FORMS.remindUsername),
    back: t("common:action.back"),
    words: words(t, {
      header: "username:remindInit.header",
      lead: "username:remindInit.lead",
      policyNo: "username:remindInit.policyNo",
      policyNoHint: "register:policyNo.hint",
      submit: "username:remindInit.submit",
      sending: "common:loading.sending",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const backend = backendFor(request);
  return answerStartStep(request, {
    form: FORMS.remindUsername,
    labels: (t) => ({ policyNo: t("username:remindInit.policyNo") }),
    begun: await readFlow(request, "remind-username"),
    remember: ({ policyNo }, codeSentAt) => ({
      name: "remind-username",
      policyNo: policyNo.trim(),
      codeSentAt,
      resent: false,
    }),
    send: ({ policyNo }) => backend.call("loginRemindInit", { policyNo: policyNo.trim() }),
    next: "/home/remind-login-submit",
  });
}

export default function RemindUsernameInit() {
  const { words, values, texts, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.remindUsername, { refused, texts, values });
  const policyNo = form.input("policyNo", "text");
  return (
    <StartScreen
      {...screen}
      here={HERE}
      words={words}
      refused={refused}
      form={form}
      fields={
        <TextField
          {...policyNo}
          label={words.policyNo}
          hint={words.policyNoHint}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      }
    />
  );
}
