import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { CallResponse } from "~/contract/calls.server";
import { defineForm } from "~/forms/form-definition";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { Disclosure } from "~/ui/disclosure";
import { SwitchField } from "~/ui/text-field";
import { pending, pendingOrDoubleSubmit } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { beginConfirming } from "../kit/continue-after-password";
import { factorChange, signInFlow } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { afterSignIn, NoticeBox } from "../kit/notice";
import { offerNoPasskey } from "../kit/passkey-sign-in";
import { loadProof } from "../kit/proof";
import { leadOf, ProofScreen, useProofForm } from "../kit/proof-screen";
import { answerConfirm } from "../kit/steps";
import { requestedMethod, knownMethods, proofForms, availableMethod } from "../kit/methods";

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
  const isStopped = flow?.noCodeUntil !== undefined && flow.noCodeUntil > Date.now();
  const proof = await loadProof(visit, {
    path: HERE,
    flow: signInFlow,
    methods: knownMethods(flow?.methods),
    isBegun: true,
    phone: () => Promise.resolve(undefined),
    // If the account no longer has a passkey, the next submit offers its other methods.
    ask: () => visit.call("activateSessionInit", { method: "passkey" }),
  });
  return {
    title: signInTitle(t, t("signInCode:title")),
    proof: isStopped ? { ...proof, code: { ...proof.code, stoppedUntil: flow.noCodeUntil } } : proof,
    trust: flow?.trust ?? true,
    // Only a reset leaves one before the sign-in is confirmed.
    isPasswordSaved: (flow?.notice?.texts.length ?? 0) > 0,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await pendingOrDoubleSubmit(args);
  const flow = visit.flow(signInFlow);
  const notice = flow?.notice;
  const method = availableMethod(await requestedMethod(visit), knownMethods(flow?.methods));
  return answerConfirm(visit, {
    here: HERE,
    flow: signInFlow,
    forms: FORMS,
    method,
    withoutSms: flow?.methods !== undefined && !flow.methods.includes("sms"),
    remember: (posted, proof) =>
      visit.remember(signInFlow, { trust: posted("trustDevice") === "Y", notice, ...proof }),
    send: (resend) => visit.call("activateSessionInit", { ...resend, ...(method && { method }) }),
    confirm: async (proof, _values, posted) => {
      const confirmed = await visit.call("activateSessionConfirm", {
        ...proof,
        trustDevice: posted("trustDevice") === "Y" && offersTrust() ? "Y" : "N",
        deviceName: await visit.backend.deviceName(),
      });
      if (confirmed.kind === "done" && method === "passkey") await offerNoPasskey(visit);
      return confirmed;
    },
    startAgain: (posted) => beginAgain(visit, posted("trustDevice") === "Y", notice),
    done: (confirmed) => enter(visit, confirmed, notice),
    back: async () => {
      await visit.signOut();
      return visit.redirectTo("/home");
    },
  });
}

/** Redirects to the customer area; after a recovery code, the new code is shown first. */
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

/** The factor was removed meanwhile: starts again with a method that the account still has. */
async function beginAgain(visit: Visit, trust: boolean, notice: Notice | undefined) {
  const begun = await beginConfirming(visit, { trust, notice });
  return begun.kind === "redirect" ? begun.response : undefined;
}

/** Whether a device may be trusted (`TRUSTED_DEVICES`). */
function offersTrust(): boolean {
  return environment().TRUSTED_DEVICES === "on";
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
      lead={
        method === "sms" ? t(offersTrust() ? "signInCode:lead" : "signInCode:leadAlways") : leadOf(t, method)
      }
      submit={t("signInCode:submit")}
      back={t("signInCode:back")}
      form={form}
      refused={refused}
      helpsWithoutPhone
      arrival={
        <NoticeBox notice={isPasswordSaved ? { kind: "success", text: t("signInCode:saved") } : undefined} />
      }
      afterButtons={
        offersTrust() && (
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
        )
      }
      more={
        offersTrust() && (
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
        )
      }
      sentAlong={trust && offersTrust() && <input type="hidden" name="trustDevice" value="Y" />}
    />
  );
}
