import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { problem } from "~/shell/problem";
import { signInTitle } from "~/shell/titles";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { shownFactorName } from "../kit/steps";
import { answerChange, ChangeScreen, leaveWithResult, loadChange, loadFactors } from "./change";

/** The screen's address with the factor's id, which must survive a return to the screen. */
function addressOf({ request }: Visit): { readonly id: string; readonly path: string } {
  const id = new URL(request.url).searchParams.get("id") ?? "";
  return { id, path: `/home/remove-factor?${new URLSearchParams({ id }).toString()}` };
}

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const { id, path } = addressOf(visit);
  const list = await loadFactors(visit);
  const factor = list.factors.find((own) => own.id === id);
  if (!factor) throw problem(404);
  const of = textsOf(factor);
  return {
    title: signInTitle(t, t(`factors:${of}.title`)),
    factor,
    isLast: list.factors.length === 1,
    proof: await loadChange(visit, path, list),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  const { id, path } = addressOf(visit);
  const list = await loadFactors(visit);
  const kind = list.factors.find((own) => own.id === id)?.kind === "passkey" ? "passkey" : "app";
  return answerChange(visit, {
    path,
    applies: ({ factors }) => factors.some((own) => own.id === id),
    change: (proof) => visit.call("removeFactor", { ...proof, id }),
    done: () => leaveWithResult(visit, "removed", kind),
  });
}

/** The group of texts about the removal of such a factor. */
function textsOf({ kind }: { readonly kind: string }) {
  return kind === "passkey" ? ("removePasskey" as const) : ("remove" as const);
}

export default function RemoveFactor() {
  const t = useTexts();
  const { factor, isLast, proof } = useLoaderData<typeof loader>();
  const of = textsOf(factor);
  const reason = t(`factors:${of}.reason`);
  return (
    <ChangeScreen
      proof={proof}
      header={t(`factors:${of}.header`, { name: shownFactorName(factor.name) })}
      reason={isLast ? `${reason} ${t(`factors:${of}.last`)}` : reason}
      submit={t(`factors:${of}.submit`)}
      refused={useActionData<typeof action>()}
    />
  );
}
