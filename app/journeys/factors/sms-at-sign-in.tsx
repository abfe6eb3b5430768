import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { problem } from "~/shell/problem";
import { signInTitle } from "~/shell/titles";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { answerChange, ChangeScreen, loadChange, loadFactors, resultAddress } from "./change";

/** The address says whether to switch on or off: the second request of a double submit must not switch back. */
function addressOf({ request }: Visit, { sms }: { readonly sms: boolean }) {
  const requested = new URL(request.url).searchParams.get("on");
  const on = requested === null ? !sms : requested === "true";
  return { on, path: `/home/sms-at-sign-in?on=${String(on)}` };
}

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const list = await loadFactors(visit);
  // SMS can be off only if there is another method.
  if (list.factors.length === 0) throw problem(404);
  const { on, path } = addressOf(visit, list);
  return {
    title: signInTitle(t, t("factors:sms.title")),
    on,
    proof: await loadChange(visit, path, list),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  const { on, path } = addressOf(visit, await loadFactors(visit));
  return answerChange(visit, {
    path,
    applies: ({ factors }) => factors.length > 0,
    change: (proof) => visit.call("smsAtSignIn", { ...proof, on }),
    done: () => {
      visit.forgetFlow();
      return visit.redirectTo(resultAddress("sms"));
    },
  });
}

export default function SmsAtSignIn() {
  const t = useTexts();
  const { on, proof } = useLoaderData<typeof loader>();
  const to = on ? "on" : "off";
  return (
    <ChangeScreen
      proof={proof}
      header={t(`factors:sms.${to}Header`)}
      reason={t(`factors:sms.${to}Reason`)}
      submit={t(`factors:sms.${to}Submit`)}
      refused={useActionData<typeof action>()}
    />
  );
}
