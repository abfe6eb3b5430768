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
import { deviceName } from "~/session/device-name.server";
import { forgetFlow, readFlow } from "~/session/flow.server";
import { enter, enterToConfirm, go, signOut } from "~/session/gate.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/switch-field";

const HERE = "/home/mfa";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "pending");
  const t = await textsFor(request);
  const flow = await readFlow(request, "sign-in");
  return {
    title: signInTitle(t, t("mfa:title")),
    ...codeStatus(t, flow, false),
    trust: flow?.trust ?? true,
    code: codeWords(t),
    secret: secretWords(t),
    texts: ruleTexts(t, FORMS.activation),
    words: words(t, {
      header: "mfa:header",
      lead: "mfa:lead",
      submit: "mfa:submit",
      back: "mfa:back",
      trust: "mfa:trust.label",
      on: "mfa:trust.on",
      off: "mfa:trust.off",
      why: "mfa:why.title",
    }),
    trustHint: `${t("mfa:trust.hint")} ${t("mfa:trust.warning")}`,
    reasons: [t("mfa:why.item1"), t("mfa:why.item2"), t("mfa:why.item3"), t("mfa:why.item4")],
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enterToConfirm(request, "pending");
  const backend = backendFor(request);
  const flow = await readFlow(request, "sign-in");
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.activation,
    labels: (t) => ({ authorizationCode: t("common:code.label") }),
    codeSent: flow?.codeSentAt !== undefined,
    send: (resend) => backend.call("activateSessionInit", resend),
    remember: (sent, posted) => ({ name: "sign-in", ...sent, trust: posted("trustDevice") === "Y" }),
    confirm: ({ authorizationCode }, { t, posted }) =>
      backend.call("activateSessionConfirm", {
        authorizationCode: readCode(authorizationCode),
        trustDevice: posted("trustDevice") === "Y" ? "Y" : "N",
        deviceName: deviceName(request, {
          browser: t("mfa:device.unknownBrowser"),
          system: t("mfa:device.unknownOs"),
        }),
      }),
    done: () => {
      forgetFlow();
      return go(request, "/cp");
    },
    back: async () => {
      await signOut(request);
      return go(request, "/home");
    },
  });
}

export default function ConfirmDevice() {
  const { words, trust, trustHint, reasons, texts, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.activation, { refused, texts });
  return (
    <CodeScreen
      {...screen}
      here={HERE}
      words={words}
      form={form}
      refused={refused}
      afterCode={
        <div className="mt-6">
          <SwitchField
            id="kod-trustDevice"
            name="trustDevice"
            value="Y"
            defaultChecked={refused ? refused.result.initialValue?.["trustDevice"] === "Y" : trust}
            label={words.trust}
            hint={trustHint}
            states={{ on: words.on, off: words.off }}
          />
        </div>
      }
      more={
        <Disclosure summary={words.why}>
          <BulletList items={reasons} />
        </Disclosure>
      }
    />
  );
}
