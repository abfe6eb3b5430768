import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { defineForm } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { signedOut } from "~/visit/gate.server";
import { answerConfirm } from "../kit/steps";
import { remindedUsername } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { smsProof } from "../kit/proof";
import { ProofScreen } from "../kit/proof-screen";
import { TypedDetails } from "../kit/typed-details";
import { proofForms } from "../kit/methods";
import { usernameReminder } from "./remind-login-init";

const HERE = "/home/remind-login-submit";

/** `/home/remind-login-submit`. */
export const reminderCodeForm = defineForm("reminder-code", { authorizationCode: CODE_FIELD });

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const flow = await visit.requireFlow(usernameReminder);
  const { t } = visit;
  return {
    title: signInTitle(t, t("username:remindSubmit.title")),
    proof: smsProof(HERE, flow),
    policyNo: flow.policyNo,
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  const { policyNo } = await visit.requireFlow(usernameReminder);
  return answerConfirm(visit, {
    here: HERE,
    signedOut: true,
    forms: proofForms(reminderCodeForm),
    flow: usernameReminder,
    remember: (_posted, proof) => visit.remember(usernameReminder, { policyNo, ...proof }),
    send: (resend) => visit.call("loginRemindInit", { policyNo, ...resend }),
    confirm: ({ authorizationCode = "" }) =>
      visit.call("loginRemindConfirm", { policyNo, authorizationCode }),
    done: async ({ username }) => {
      await visit.remember(remindedUsername, { username });
      return visit.redirectTo("/home/remind-login-final");
    },
    back: () => visit.redirectTo("/home/remind-login-init"),
  });
}

export default function RemindLoginSubmit() {
  const t = useTexts();
  const { proof, policyNo } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(reminderCodeForm, { refused });
  return (
    <ProofScreen
      proof={proof}
      header={t("username:remindSubmit.header")}
      lead={t("username:remindSubmit.lead")}
      submit={t("username:remindSubmit.next")}
      back={t("username:remindSubmit.back")}
      signedOut
      form={form}
      refused={refused}
      notice={<TypedDetails policyNo={policyNo} correctAt={usernameReminder.startsAt} />}
    />
  );
}
