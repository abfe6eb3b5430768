import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/rules";
import { formTexts } from "~/forms/form-texts.server";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/text-field";
import { pending, pendingOrTwin } from "~/visit/gate.server";
import { CodeScreen } from "../kit/code-screen";
import { answerCodeStep } from "../kit/steps.server";
import { codeStatus, codeWords, stoppedCode } from "../kit/code-words.server";
import { signInFlow } from "../kit/flows.server";
import { signInCodeForm } from "./forms";

const HERE = "/home/mfa";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await pending(args);
  const { t } = visit;
  const flow = visit.flow(signInFlow);
  return {
    title: signInTitle(t, t("signInCode:title")),
    ...(flow?.noCodeUntil !== undefined && flow.noCodeUntil > Date.now()
      ? stoppedCode(t, flow, flow.noCodeUntil)
      : codeStatus(t, flow, false)),
    trust: flow?.trust ?? true,
    code: codeWords(t),
    texts: formTexts(t, signInCodeForm),
    words: words(t, {
      header: "signInCode:header",
      lead: "signInCode:lead",
      submit: "signInCode:submit",
      back: "signInCode:back",
      trust: "signInCode:trust.label",
      on: "signInCode:trust.on",
      off: "signInCode:trust.off",
      why: "signInCode:why.title",
    }),
    trustHint: `${t("signInCode:trust.hint")} ${t("signInCode:trust.warning")}`,
    reasons: [
      t("signInCode:why.item1"),
      t("signInCode:why.item2"),
      t("signInCode:why.item3"),
      t("signInCode:why.item4"),
    ],
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await pendingOrTwin(args);
  const notice = visit.flow(signInFlow)?.notice;
  return answerCodeStep(visit, {
    here: HERE,
    form: signInCodeForm,
    flow: signInFlow,
    remember: (posted) => ({ trust: posted("trustDevice") === "Y", notice }),
    send: (resend) => visit.call("activateSessionInit", resend),
    confirm: async ({ authorizationCode }, posted) =>
      visit.call("activateSessionConfirm", {
        authorizationCode: readCode(authorizationCode),
        trustDevice: posted("trustDevice") === "Y" ? "Y" : "N",
        deviceName: await visit.backend.deviceName(),
      }),
    done: async () => {
      if (notice) await visit.leaveNotice(notice);
      else visit.forgetFlow();
      return visit.redirectTo("/cp");
    },
    back: async () => {
      await visit.signOut();
      return visit.redirectTo("/home");
    },
  });
}

export default function SignInCode() {
  const { words, trust, trustHint, reasons, texts, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(signInCodeForm, { refused, texts });
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
            id="sign-in-code-trustDevice"
            name="trustDevice"
            value="Y"
            defaultChecked={refused ? refused.result.initialValue?.["trustDevice"] === "Y" : trust}
            label={words.trust}
            hint={trustHint}
            states={{ on: words.on, off: words.off }}
          />
        </div>
      }
      sentAlong={trust && <input type="hidden" name="trustDevice" value="Y" />}
      more={
        <Disclosure summary={words.why}>
          <BulletList items={reasons} />
        </Disclosure>
      }
    />
  );
}
