import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { signInTitle } from "~/shell/titles";
import { problem } from "~/shell/problem";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { shownFactorName } from "../kit/steps";
import { answerChange, leaveWithResult, loadChange, loadFactors } from "./change";
import { ChangeScreen } from "./change-screen";

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
  const of = factor.kind === "passkey" ? "removePasskey" : "remove";
  const reason = t(`factors:${of}.reason`);
  return loadChange(visit, path, list, {
    title: signInTitle(t, t(`factors:${of}.title`)),
    header: t(`factors:${of}.header`, { name: shownFactorName(factor.name) }),
    reason: list.factors.length === 1 ? `${reason} ${t(`factors:${of}.last`)}` : reason,
    submit: t(`factors:${of}.submit`),
  });
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

export default function RemoveFactor() {
  return <ChangeScreen {...useLoaderData<typeof loader>()} refused={useActionData<typeof action>()} />;
}
