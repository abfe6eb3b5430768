import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/rules";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { signedOut } from "~/visit/gate.server";
import { CodeScreen } from "../kit/code-screen";
import { answerCodeStep } from "../kit/steps";
import { codeStatus, openCodeWords, typedWords } from "../kit/code-words";
import { remindedUsername } from "../kit/flows";
import { TypedDetails } from "../kit/typed-details";
import { usernameReminder } from "./flow";
import { reminderCodeForm } from "./forms";

const HERE = "/home/remind-login-submit";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const flow = await visit.requireFlow(usernameReminder);
  const { t } = visit;
  return {
    title: signInTitle(t, t("username:remindSubmit.title")),
    ...codeStatus(t, flow, true),
    typed: { policyNo: flow.policyNo, correctAt: usernameReminder.startsAt, words: typedWords(t) },
    code: openCodeWords(t),
    words: words(t, {
      header: "username:remindSubmit.header",
      lead: "username:remindSubmit.lead",
      submit: "username:remindSubmit.next",
      back: "username:remindSubmit.back",
    }),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  const { policyNo } = await visit.requireFlow(usernameReminder);
  return answerCodeStep(visit, {
    here: HERE,
    form: reminderCodeForm,
    flow: usernameReminder,
    remember: () => ({ policyNo }),
    send: (resend) => visit.call("loginRemindInit", { policyNo, ...resend }),
    confirm: ({ authorizationCode }) =>
      visit.call("loginRemindConfirm", { policyNo, authorizationCode: readCode(authorizationCode) }),
    done: async ({ username }) => {
      await visit.remember(remindedUsername, { username });
      return visit.redirectTo("/home/remind-login-final");
    },
    back: () => visit.redirectTo("/home/remind-login-init"),
  });
}

export default function RemindLoginSubmit() {
  const { typed, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(reminderCodeForm, { refused });
  return (
    <CodeScreen {...screen} here={HERE} form={form} refused={refused} notice={<TypedDetails {...typed} />} />
  );
}
