import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { keptValues } from "~/forms/form-definition";
import { signInTitle } from "~/shell/titles";
import { signedOut } from "~/visit/gate.server";
import { answerConfirm } from "../kit/steps";
import { findWeakness, weakPasswordNotice } from "../kit/password-advice";
import { newPasswordForms, NewPasswordScreen } from "../kit/new-password";
import { smsProof } from "../kit/proof";
import { maskedIdentifier, TypedDetails } from "../kit/typed-details";
import { registration, registerForm } from "./register";

const HERE = "/home/set-password";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const flow = await visit.requireFlow(registration);
  const { t } = visit;
  return {
    title: signInTitle(t, t("password:set.title")),
    proof: smsProof(HERE, flow),
    typed: { policyNo: flow.policyNo, pid: maskedIdentifier(flow.pid) },
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  const details = keptValues(registerForm, await visit.requireFlow(registration));
  return answerConfirm(visit, {
    here: HERE,
    signedOut: true,
    forms: newPasswordForms,
    flow: registration,
    remember: (_posted, proof) => visit.remember(registration, { ...details, ...proof }),
    send: (resend) => visit.call("registerInit", { ...details, ...resend }),
    confirm: ({ authorizationCode = "" }, { newPassword }) =>
      visit.call("registerConfirm", {
        ...details,
        password: newPassword,
        authorizationCode,
      }),
    advise: ({ newPassword }) => findWeakness(newPassword, Object.values(details)),
    done: async (_nothing, { newPassword }, known) => {
      // Only now is the name known.
      const info = await visit.backend.call("userInfo", {});
      const name = info.kind === "done" ? info.value.name : "";
      const weakness = known ?? (await findWeakness(newPassword, [...Object.values(details), name]));
      if (weakness) await visit.leaveNotice(weakPasswordNotice(weakness));
      else visit.forgetFlow();
      return visit.redirectTo("/home/confirm-login");
    },
    back: () => visit.redirectTo("/home/register"),
  });
}

export default function SetPassword() {
  const { typed, proof } = useLoaderData<typeof loader>();
  return (
    <NewPasswordScreen
      mode="set"
      proof={proof}
      signedOut
      step={{ current: 2, total: 2 }}
      refused={useActionData<typeof action>()}
      notice={<TypedDetails {...typed} correctAt={registration.startsAt} />}
    />
  );
}
