import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readPid, readPolicyNo } from "~/contract/rules";
import { keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { PhoneLinks } from "~/ui/phone";
import { PolicyPicture } from "~/ui/illustrations";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { signedOut } from "~/visit/gate.server";
import { noticeText } from "../kit/notice";
import { SavedName } from "../kit/saved-name";
import { SecretField } from "../kit/secret-field";
import { StartScreen } from "../kit/start-screen";
import { answerStartStep } from "../kit/steps";
import { registration } from "./flow";
import { registerForm } from "./forms";

const HERE = "/home/register";
/** Neither field is a username, so password managers should ignore them (C-37). */
const NO_LOGIN = {
  autoComplete: "off",
  "data-1p-ignore": true,
  "data-lpignore": "true",
  "data-bwignore": true,
} as const;

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("register:title")),
    notice: noticeText(visit),
    step: { text: t("common:a11y.step", { current: 1, total: 2 }), current: 1, total: 2 },
    values: keptValues(registerForm, visit.flow(registration)),
    kinds: [t("register:pid.individual"), t("register:pid.noId"), t("register:pid.company")],
    words: words(t, {
      header: "register:header",
      lead: "register:lead",
      allRequired: "common:field.allRequired",
      policyNoHint: "register:policyNo.hint",
      pidHelp: "register:pid.tooltipTitle",
      savedName: "register:savedName",
      submit: "register:submit",
      sending: "common:loading.sending",
      haveAccount: "register:haveAccount",
      login: "register:login",
      phoneTitle: "register:phoneChanged.title",
      phoneText: "register:phoneChanged.text",
    }),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  return answerStartStep(visit, {
    form: registerForm,
    flow: registration,
    // As typed: the backend finds a number by its exact spelling first.
    remember: (details) => ({
      ...details,
      policyNo: readPolicyNo(details.policyNo).typed,
      pid: readPid(details.pid).typed,
    }),
    send: (details) => visit.call("registerInit", details),
    next: "/home/set-password",
  });
}

export default function Register() {
  const { words, values, kinds, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(registerForm, { refused, values });
  const policyNo = form.input("policyNo");
  const pid = form.input("pid");
  return (
    <StartScreen
      {...screen}
      waitsForFields
      here={HERE}
      picture={<PolicyPicture />}
      words={words}
      refused={refused}
      form={form}
      fields={
        <>
          <p className="-mb-2 text-sm text-muted">{words.allRequired}</p>
          <TextField
            {...policyNo}
            {...NO_LOGIN}
            hint={words.policyNoHint}
            autoCapitalize="characters"
            spellCheck={false}
          />
          {/* So that password managers take neither field for one of the sign-in (F32). */}
          <SavedName name={words.savedName} section="registration" />
          <SecretField {...pid} {...NO_LOGIN}>
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
          <Disclosure summary={words.phoneTitle}>
            <PhoneLinks text={words.phoneText} />
          </Disclosure>
        </>
      }
    />
  );
}
