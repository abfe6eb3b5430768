import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readPid, readPolicyNo } from "~/contract/rules";
import { defineForm, keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { PhoneLinks } from "~/ui/phone";
import { PolicyPicture } from "~/ui/illustrations";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";
import { IN_OTHER_LANGUAGE } from "~/visit/browser.server";
import { defineCodeFlow, remembering } from "~/visit/flow.server";
import { signedOut } from "~/visit/gate.server";
import { noticeText } from "../kit/notice";
import { SavedName, SecretField } from "../kit/secret-field";
import { StartScreen } from "../kit/start-screen";
import { answerStartStep } from "../kit/steps";

const HERE = "/home/register";

/** `/home/register`. */
export const registerForm = defineForm("register", {
  policyNo: { rule: "number", label: "register:policyNo.label", sample: "POL-200001" },
  pid: { rule: "number", label: "register:pid.label", personal: true, sample: "72090811112" },
});

/** A registration, between its two screens. */
export const registration = defineCodeFlow("register", "/home/register", remembering(registerForm.kept));

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
  const values = keptValues(registerForm, visit.flow(registration));
  const isCleared = values.pid === "" && new URL(args.request.url).searchParams.has(IN_OTHER_LANGUAGE);
  const again = { kind: "info", text: t("register:pid.again") } as const;
  return {
    title: signInTitle(t, t("register:title")),
    notice: noticeText(visit) ?? (isCleared ? again : undefined),
    values,
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
  const t = useTexts();
  const { values, notice } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(registerForm, { refused, values });
  const policyNo = form.input("policyNo");
  const pid = form.input("pid");
  return (
    <StartScreen
      waitsForFields
      here={HERE}
      step={{ current: 1, total: 2 }}
      header={t("register:header")}
      lead={t("register:lead")}
      submit={t("register:submit")}
      picture={<PolicyPicture />}
      notice={notice}
      refused={refused}
      form={form}
      fields={
        <>
          <p className="-mb-2 text-sm text-muted">{t("common:field.allRequired")}</p>
          <TextField
            {...policyNo}
            {...NO_LOGIN}
            hint={t("register:policyNo.hint")}
            autoCapitalize="characters"
            spellCheck={false}
          />
          {/* So that password managers take neither field for one of the sign-in (F32). */}
          <SavedName name={t("register:savedName")} section="registration" />
          <SecretField {...pid} {...NO_LOGIN}>
            <Disclosure summary={t("register:pid.tooltipTitle")}>
              <BulletList
                items={[t("register:pid.individual"), t("register:pid.noId"), t("register:pid.company")]}
              />
            </Disclosure>
          </SecretField>
        </>
      }
      more={
        <>
          <p>
            {t("register:haveAccount")} <TextLink to="/home">{t("register:login")}</TextLink>
          </p>
          <Disclosure summary={t("register:phoneChanged.title")}>
            <PhoneLinks text={t("register:phoneChanged.text")} />
          </Disclosure>
        </>
      }
    />
  );
}
