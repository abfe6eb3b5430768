import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { signInTitle } from "~/shell/layout.server";
import { problem } from "~/shell/problem.server";
import { signedIn } from "~/visit/gate.server";
import { answerChange, loadChange, loadFactors, resultAddress } from "./change.server";
import { ChangeScreen } from "./change-screen";

const HERE = "/home/sms-at-sign-in";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const list = await loadFactors(visit);
  // The SMS can be off only beside another way.
  if (list.factors.length === 0) throw await problem(visit, 404);
  const to = list.sms ? "off" : "on";
  return loadChange(visit, HERE, list, {
    title: signInTitle(t, t("factors:sms.title")),
    header: t(`factors:sms.${to}Header`),
    reason: t(`factors:sms.${to}Reason`),
    submit: t(`factors:sms.${to}Submit`),
  });
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  const { sms } = await loadFactors(visit);
  return answerChange(visit, {
    path: HERE,
    change: (proof) => visit.call("smsAtSignIn", { ...proof, on: !sms }),
    done: () => {
      visit.forgetFlow();
      return visit.redirectTo(resultAddress("sms"));
    },
  });
}

export default function SmsAtSignIn() {
  return <ChangeScreen {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>()} />;
}
