import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Method } from "~/contract/factors.server";
import type { CallResponse } from "~/contract/calls.server";
import { defineForm } from "~/forms/form-definition";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/text-field";
import { pending, pendingOrTwin } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { beginConfirming } from "../kit/continue-after-password";
import { factorChange, signInFlow } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { afterSignIn, NoticeBox } from "../kit/notice";
import { askPasskey, type PasskeyQuestion } from "../kit/passkey";
import { offerNoPasskey } from "../kit/passkey-sign-in";
import { answerInWay, isMethodGone, sentCodeOf } from "../kit/proof";
import { leadOf, type Proof, ProofScreen, useProofForm } from "../kit/proof-screen";
import { askedWay, knownWays, proofForms, shownPasskey } from "../kit/ways";

const HERE = "/home/mfa";

/** `/home/mfa`, for a code by SMS. */
export const signInCodeForm = defineForm(
  "sign-in-code",
  { authorizationCode: CODE_FIELD },
  { switches: ["trustDevice"] },
);

const FORMS = proofForms(signInCodeForm);

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await pending(args);
  const { t } = visit;
  const flow = visit.flow(signInFlow);
  const ways = knownWays(flow?.methods);
  const method = await shownWay(visit, ways);
  const isStopped = flow?.noCodeUntil !== undefined && flow.noCodeUntil > Date.now();
  const proof: Proof = {
    path: HERE,
    method: method ?? "sms",
    ways,
    isBegun: true,
    code: { ...sentCodeOf(flow), ...(isStopped && { stoppedUntil: flow.noCodeUntil }) },
    question: method === "passkey" ? await askForPasskey(visit) : undefined,
  };
  return {
    title: signInTitle(t, t("signInCode:title")),
    proof,
    trust: flow?.trust ?? true,
    // Only a reset leaves one before the sign-in is confirmed.
    isPasswordSaved: (flow?.notice?.texts.length ?? 0) > 0,
  };
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
  return answerInWay(visit, {
    here: HERE,
    flow: signInFlow,
    forms: FORMS,
    method,
    withoutSms: flow?.methods !== undefined && !flow.methods.includes("sms"),
    remember: (posted) => ({ trust: posted("trustDevice") === "Y", notice }),
    send: (resend) => visit.call("activateSessionInit", { ...resend, ...(method && { method }) }),
    confirm: async ({ code, ...proof }, _values, posted) => {
      const trust = posted("trustDevice") === "Y";
      const confirmed = await visit.call("activateSessionConfirm", {
        ...proof,
        ...(code !== undefined && { authorizationCode: code }),
        trustDevice: trust ? "Y" : "N",
        deviceName: await visit.backend.deviceName(),
      });
      if (isMethodGone(confirmed)) await beginAgain(visit, trust, notice);
      if (confirmed.kind === "done" && method === "passkey") await offerNoPasskey(visit);
      return confirmed;
    },
    done: (confirmed) => enter(visit, confirmed, notice),
    back: async () => {
      await visit.signOut();
      return visit.redirectTo("/home");
    },
  });
}

/** Leads into the customer area; after a recovery code by way of the new one. */
async function enter(
  visit: Visit,
  { recoveryCode }: CallResponse<"activateSessionConfirm">,
  notice: Notice | undefined,
) {
  if (recoveryCode === undefined) {
    await visit.leaveNotice(afterSignIn(notice));
    return visit.redirectTo("/cp");
  }
  const path = "/home/recovery-code";
  await visit.remember(factorChange, { path, resent: false, recoveryCode, after: "sign-in" });
  return visit.redirectTo(path);
}

/** The factor was removed meanwhile: looks for one that the account still has. Throws the redirect to it. */
async function beginAgain(visit: Visit, trust: boolean, notice: Notice | undefined): Promise<void> {
  const begun = await beginConfirming(visit, { trust, notice });
  if (begun.kind === "redirect") throw begun.response;
}

export default function SignInCode() {
  const t = useTexts();
  const { proof, trust, isPasswordSaved } = useLoaderData<typeof loader>();
  const { method } = proof;
  const refused = useActionData<typeof action>();
  const form = useProofForm(FORMS, proof, { refused });
  return (
    <ProofScreen
      proof={proof}
      header={t("signInCode:header")}
      lead={method === "sms" ? t("signInCode:lead") : leadOf(t, method)}
      submit={t("signInCode:submit")}
      back={t("signInCode:back")}
      form={form}
      refused={refused}
      arrival={
        <NoticeBox notice={isPasswordSaved ? { kind: "success", text: t("signInCode:saved") } : undefined} />
      }
      afterButtons={
        <div className="mt-6">
          <SwitchField
            id="sign-in-code-trustDevice"
            name="trustDevice"
            value="Y"
            defaultChecked={refused ? refused.result.initialValue?.["trustDevice"] === "Y" : trust}
            label={t("signInCode:trust.label")}
            hint={`${t("signInCode:trust.hint")} ${t("signInCode:trust.warning")}`}
            states={{ on: t("signInCode:trust.on"), off: t("signInCode:trust.off") }}
          />
        </div>
      }
      more={
        <Disclosure summary={t("signInCode:why.title")}>
          <BulletList
            items={[
              t("signInCode:why.item1"),
              t("signInCode:why.item2"),
              t("signInCode:why.item3"),
              t("signInCode:why.item4"),
            ]}
          />
        </Disclosure>
      }
      sentAlong={trust && <input type="hidden" name="trustDevice" value="Y" />}
    />
  );
}
