import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Method } from "~/contract/factors.server";
import { readCode } from "~/contract/rules";
import { formTexts } from "~/forms/form-texts.server";
import { useScreenForm } from "~/forms/screen-form";
import { type Translate, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/text-field";
import { pending, pendingOrTwin } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { CodeScreen } from "../kit/code-screen";
import { beginConfirming } from "../kit/continue-after-password.server";
import { codeStatus, codeWords, stoppedCode } from "../kit/code-words.server";
import { FactorScreen, OtherWays } from "../kit/factor-screen";
import { factorChange, signInFlow } from "../kit/flows.server";
import { afterSignIn } from "../kit/notice.server";
import { appCodeForm, recoveryCodeForm } from "../kit/forms";
import {
  answerCodeStep,
  askedWay,
  factorWords,
  isMethodGone,
  knownWays,
  otherWays,
  wayAddress,
  withFactorWords,
} from "../kit/steps.server";
import { signInCodeForm } from "./forms";

const HERE = "/home/mfa";
const FORMS = { sms: signInCodeForm, app: appCodeForm, recovery: recoveryCodeForm } as const;

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await pending(args);
  const { t } = visit;
  const flow = visit.flow(signInFlow);
  const ways = knownWays(flow?.methods);
  const method = await shownWay(visit, ways);
  return {
    title: signInTitle(t, t("signInCode:title")),
    ...(flow?.noCodeUntil !== undefined && flow.noCodeUntil > Date.now()
      ? stoppedCode(t, flow, flow.noCodeUntil)
      : codeStatus(t, flow, false)),
    trust: flow?.trust ?? true,
    factor: method === "app" || method === "recovery" ? { method, ...factorWords(t)[method] } : undefined,
    here: method === undefined ? HERE : wayAddress(HERE, method),
    method,
    ways: otherWays(t, HERE, ways, method),
    smsAddress: ways.includes("sms") ? wayAddress(HERE, "sms") : undefined,
    code: codeWords(t),
    texts: formTexts(t, FORMS[method ?? "sms"]),
    words: screenWords(t),
    trustHint: `${t("signInCode:trust.hint")} ${t("signInCode:trust.warning")}`,
    reasons: [
      t("signInCode:why.item1"),
      t("signInCode:why.item2"),
      t("signInCode:why.item3"),
      t("signInCode:why.item4"),
    ],
  };
}

function screenWords(t: Translate) {
  return words(t, {
    header: "signInCode:header",
    lead: "signInCode:lead",
    submit: "signInCode:submit",
    back: "signInCode:back",
    trust: "signInCode:trust.label",
    on: "signInCode:trust.on",
    off: "signInCode:trust.off",
    why: "signInCode:why.title",
    ways: "factors:ways.title",
  });
}

/** The way to show: the one that is asked for, or the one that was taken. Undefined without second factors. */
async function shownWay(visit: Visit, ways: readonly Method[]): Promise<Method | undefined> {
  const asked = await askedWay(visit);
  if (asked !== undefined && ways.includes(asked)) return asked;
  return ways.find((way) => way === visit.flow(signInFlow)?.method) ?? ways[0];
}

export async function action(args: ActionFunctionArgs) {
  const visit = await pendingOrTwin(args);
  const flow = visit.flow(signInFlow);
  const notice = flow?.notice;
  const method = await askedWay(visit);
  const by = method && { method };
  return answerCodeStep(visit, {
    here: HERE,
    form: FORMS[method ?? "sms"],
    flow: signInFlow,
    withoutSms: flow?.methods !== undefined && !flow.methods.includes("sms"),
    remember: (posted) => ({ trust: posted("trustDevice") === "Y", notice }),
    send: (resend) => visit.call("activateSessionInit", { ...resend, ...by }),
    confirm: async ({ authorizationCode }, posted) => {
      const trust = posted("trustDevice") === "Y";
      const confirmed = await visit.call("activateSessionConfirm", {
        authorizationCode: method === "recovery" ? authorizationCode : readCode(authorizationCode),
        trustDevice: trust ? "Y" : "N",
        deviceName: await visit.backend.deviceName(),
        ...by,
      });
      if (isMethodGone(confirmed)) await beginAgain(visit, trust, notice);
      return withFactorWords(method, confirmed);
    },
    done: async ({ recoveryCode }) => {
      if (recoveryCode !== undefined) {
        await visit.remember(factorChange, {
          path: "/home/recovery-code",
          resent: false,
          recoveryCode,
          after: "sign-in",
        });
        return visit.redirectTo("/home/recovery-code");
      }
      await visit.leaveNotice(afterSignIn(notice));
      return visit.redirectTo("/cp");
    },
    back: async () => {
      await visit.signOut();
      return visit.redirectTo("/home");
    },
  });
}

/** What was used to confirm is gone meanwhile: asks what can be used now. Throws the redirect to it. */
async function beginAgain(visit: Visit, trust: boolean, notice: Notice | undefined): Promise<void> {
  const begun = await beginConfirming(visit, { trust, notice });
  if (begun.kind === "redirect") throw begun.response;
}

export default function SignInCode() {
  const { factor, ways, smsAddress, ...screen } = useLoaderData<typeof loader>();
  const { words, trust, trustHint, reasons, texts, here, method } = screen;
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS[method ?? "sms"], { refused, texts });
  const shared = {
    here,
    form,
    refused,
    ways: <OtherWays title={words.ways} ways={ways} />,
    afterCode: (
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
    ),
    more: (
      <Disclosure summary={words.why}>
        <BulletList items={reasons} />
      </Disclosure>
    ),
  };
  if (factor)
    return (
      <FactorScreen
        {...shared}
        method={factor.method}
        header={words.header}
        submit={words.submit}
        back={words.back}
        words={factor}
        afterBlock={{ address: smsAddress ?? here, sends: smsAddress !== undefined }}
      />
    );
  return (
    <CodeScreen
      {...screen}
      {...shared}
      hidden={method && <input type="hidden" name="method" value={method} />}
      sentAlong={trust && <input type="hidden" name="trustDevice" value="Y" />}
    />
  );
}
