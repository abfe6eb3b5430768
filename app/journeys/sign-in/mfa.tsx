import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Method } from "~/contract/factors.server";
import type { CallRequest, CallResponse } from "~/contract/calls.server";
import { readCodeOf } from "~/contract/rules";
import type { FormDefinition } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { type Translate, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/text-field";
import { pending, pendingOrTwin } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { CodeScreen } from "../kit/code-screen";
import { beginConfirming } from "../kit/continue-after-password";
import { codeStatus, codeWords, stoppedCode } from "../kit/code-words";
import { FactorScreen, OtherWays } from "../kit/factor-screen";
import { factorChange, signInFlow } from "../kit/flows";
import { afterSignIn } from "../kit/notice";
import { appCodeForm, passkeyForm, recoveryCodeForm } from "../kit/forms";
import { NoticeBox } from "../kit/notice-box";
import { askPasskey, passkeyAnswerIn, questionInWords, withPasskeyWords } from "../kit/passkey";
import { type PasskeyQuestion, PasskeyScreen } from "../kit/passkey-screen";
import {
  answerCodeStep,
  askedWay,
  factorWords,
  isMethodGone,
  knownWays,
  otherWays,
  shownPasskey,
  wayAddress,
  withFactorWords,
} from "../kit/steps";
import { signInCodeForm } from "./forms";

const HERE = "/home/mfa";
const FORMS: Readonly<Record<Exclude<Method, "passkey">, FormDefinition<"authorizationCode">>> = {
  sms: signInCodeForm,
  app: appCodeForm,
  recovery: recoveryCodeForm,
};

/** The form for a code. A passkey has a form of its own. */
function codeForm(method: Method | undefined) {
  return FORMS[method === undefined || method === "passkey" ? "sms" : method];
}

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await pending(args);
  const { t } = visit;
  const flow = visit.flow(signInFlow);
  const ways = knownWays(flow?.methods);
  const method = await shownWay(visit, ways);
  const question = method === "passkey" ? await askForPasskey(visit) : undefined;
  return {
    question: question && questionInWords(t, question),
    title: signInTitle(t, t("signInCode:title")),
    ...(flow?.noCodeUntil !== undefined && flow.noCodeUntil > Date.now()
      ? stoppedCode(t, flow, flow.noCodeUntil)
      : codeStatus(t, flow, false)),
    trust: flow?.trust ?? true,
    // Only a reset leaves one before the sign-in is confirmed.
    saved: flow?.notice?.texts.length
      ? { kind: "success" as const, word: t("common:a11y.success"), text: t("signInCode:saved") }
      : undefined,
    factor: method === "app" || method === "recovery" ? { method, ...factorWords(t)[method] } : undefined,
    here: method === undefined ? HERE : wayAddress(HERE, method),
    method,
    ways: otherWays(t, HERE, ways, method),
    smsAddress: ways.includes("sms") ? wayAddress(HERE, "sms") : undefined,
    code: codeWords(t),
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

/** The way to show: the one that the request chooses, or the one in use. Undefined without second factors. */
async function shownWay(visit: Visit, ways: readonly Method[]): Promise<Method | undefined> {
  const asked = await askedWay(visit);
  if (asked !== undefined && ways.includes(asked)) return asked;
  return ways.find((way) => way === visit.flow(signInFlow)?.method) ?? ways[0];
}

/** The question for the passkey. If the account no longer has one, the next press of a button offers its other ways. */
async function askForPasskey(visit: Visit): Promise<PasskeyQuestion> {
  const flow = visit.flow(signInFlow);
  const question = await askPasskey(visit, {
    asked: flow?.method === "passkey" ? flow : undefined,
    ask: () => visit.call("activateSessionInit", { method: "passkey" }),
    remember: (asked) =>
      visit.remember(signInFlow, { resent: false, trust: true, ...flow, method: "passkey", ...asked }),
  });
  if (question !== "gone") return question;
  await visit.remember(signInFlow, { resent: false, trust: flow?.trust ?? true, notice: flow?.notice });
  throw visit.redirectTo(HERE);
}

export async function action(args: ActionFunctionArgs) {
  const visit = await pendingOrTwin(args);
  const flow = visit.flow(signInFlow);
  const notice = flow?.notice;
  const method = shownPasskey(await askedWay(visit), knownWays(flow?.methods));
  const by = method && { method };
  const confirm = async (proof: Proof, posted: (field: string) => string) => {
    const trust = posted("trustDevice") === "Y";
    const confirmed = await visit.call("activateSessionConfirm", {
      ...proof,
      trustDevice: trust ? "Y" : "N",
      deviceName: await visit.backend.deviceName(),
      ...by,
    });
    if (isMethodGone(confirmed)) await beginAgain(visit, trust, notice);
    return confirmed;
  };
  const step = {
    here: HERE,
    flow: signInFlow,
    withoutSms: flow?.methods !== undefined && !flow.methods.includes("sms"),
    remember: (posted: (field: string) => string) => ({ trust: posted("trustDevice") === "Y", notice }),
    send: (resend: { resend?: true }) => visit.call("activateSessionInit", { ...resend, ...by }),
    done: async ({ recoveryCode }: CallResponse<"activateSessionConfirm">) => {
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
  };
  if (method === "passkey")
    return answerCodeStep(visit, {
      ...step,
      form: passkeyForm,
      confirm: async ({ response }, posted) =>
        withPasskeyWords(visit, await confirm({ response: passkeyAnswerIn(response) }, posted)),
    });
  return answerCodeStep(visit, {
    ...step,
    form: codeForm(method),
    namesEnd: (method ?? "sms") === "sms",
    confirm: async ({ authorizationCode }, posted) => {
      const code = readCodeOf(method, authorizationCode);
      return withFactorWords(method, await confirm({ authorizationCode: code }, posted));
    },
  });
}

type Proof = Pick<CallRequest<"activateSessionConfirm">, "authorizationCode" | "response">;

/** The factor was removed meanwhile: looks for one that the account still has. Throws the redirect to it. */
async function beginAgain(visit: Visit, trust: boolean, notice: Notice | undefined): Promise<void> {
  const begun = await beginConfirming(visit, { trust, notice });
  if (begun.kind === "redirect") throw begun.response;
}

export default function SignInCode() {
  const { factor, question, ways, smsAddress, saved, ...screen } = useLoaderData<typeof loader>();
  const { words, trust, trustHint, reasons, here, method } = screen;
  const refused = useActionData<typeof action>();
  const form = useScreenForm(codeForm(method), { refused });
  const shared = {
    here,
    refused,
    ways: <OtherWays title={words.ways} ways={ways} />,
    arrival: <NoticeBox notice={saved} />,
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
  const afterBlock = { address: smsAddress ?? here, sends: smsAddress !== undefined };
  if (question)
    return (
      <PasskeyScreen
        {...shared}
        header={words.header}
        words={{ back: words.back }}
        question={question}
        afterBlock={afterBlock}
        afterAnswer={shared.afterCode}
      />
    );
  if (factor)
    return (
      <FactorScreen
        {...shared}
        form={form}
        method={factor.method}
        header={words.header}
        submit={words.submit}
        back={words.back}
        words={factor}
        afterBlock={afterBlock}
      />
    );
  return (
    <CodeScreen
      {...screen}
      {...shared}
      form={form}
      hidden={method && <input type="hidden" name="method" value={method} />}
      sentAlong={trust && <input type="hidden" name="trustDevice" value="Y" />}
    />
  );
}
