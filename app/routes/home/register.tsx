import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { FORMS } from "~/forms/forms";
import { useScreenForm } from "~/forms/screen-form";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { ruleTexts } from "~/screen/form-texts.server";
import { noticeOf } from "~/screen/notice.server";
import { SecretField } from "~/screen/secret-field";
import { secretWords } from "~/screen/secret-words.server";
import { StartScreen } from "~/screen/start-screen";
import { answerStartStep } from "~/screen/start-step.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { readFlow } from "~/session/flow.server";
import { enter } from "~/session/gate.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";

const HERE = "/home/register";
/** Neither is a login: password managers are asked to look away (C-37). */
const NO_LOGIN = {
  autoComplete: "off",
  "data-1p-ignore": true,
  "data-lpignore": "true",
  "data-bwignore": true,
} as const;

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const t = await textsFor(request);
  const flow = await readFlow(request, "register");
  return {
    title: signInTitle(t, t("register:title")),
    notice: await noticeOf(request, t),
    step: { text: t("common:a11y.step", { current: 1, total: 2 }), current: 1, total: 2 },
    values: { policyNo: flow?.policyNo ?? "", pid: flow?.pid ?? "" },
    texts: ruleTexts(t, FORMS.register),
    secret: secretWords(t),
    kinds: [t("register:pid.individual"), t("register:pid.noId"), t("register:pid.company")],
    words: words(t, {
      header: "register:header",
      lead: "register:lead",
      allRequired: "common:field.allRequired",
      policyNo: "register:policyNo.label",
      policyNoHint: "register:policyNo.hint",
      pid: "register:pid.label",
      pidHint: "register:pid.hint",
      pidHelp: "register:pid.tooltipTitle",
      submit: "register:submit",
      sending: "common:loading.sending",
      haveAccount: "register:haveAccount",
      login: "register:login",
      phoneTitle: "register:phoneChanged.title",
      phoneText: "register:phoneChanged.text",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const backend = backendFor(request);
  return answerStartStep(request, {
    form: FORMS.register,
    labels: (t) => ({ policyNo: t("register:policyNo.label"), pid: t("register:pid.label") }),
    begun: await readFlow(request, "register"),
    // "Personal ID upper-cased" (specification §5).
    remember: ({ policyNo, pid }, codeSentAt) => ({
      name: "register",
      policyNo: policyNo.trim(),
      pid: pid.trim().toUpperCase(),
      codeSentAt,
      resent: false,
    }),
    send: ({ policyNo, pid }) =>
      backend.call("registerInit", { policyNo: policyNo.trim(), pid: pid.trim().toUpperCase() }),
    next: "/home/set-password",
  });
}

export default function Register() {
  const { words, values, texts, secret, kinds, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.register, { refused, texts, values });
  const policyNo = form.input("policyNo", "text");
  const pid = form.input("pid", "password");
  return (
    <StartScreen
      {...screen}
      waitsForFields
      here={HERE}
      words={words}
      refused={refused}
      form={form}
      fields={
        <>
          <p className="-mb-2 text-sm text-neutral-600">{words.allRequired}</p>
          <TextField
            {...policyNo}
            {...NO_LOGIN}
            label={words.policyNo}
            hint={words.policyNoHint}
            autoCapitalize="characters"
            spellCheck={false}
          />
          <SecretField {...pid} {...NO_LOGIN} secret={secret} label={words.pid} hint={words.pidHint}>
            <Disclosure summary={words.pidHelp}>
              <BulletList items={kinds} />
            </Disclosure>
          </SecretField>
        </>
      }
      more={
        <>
          <p>
            {words.haveAccount} <TextLink to="/home">{words.login}</TextLink>
          </p>
          <Disclosure summary={words.phoneTitle}>{words.phoneText}</Disclosure>
        </>
      }
    />
  );
}
