import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { signedIn } from "~/visit/gate.server";
import { loadFromBackend, type Visit } from "~/visit/visit.server";
import { answerChange, ChangeScreen, loadChange, loadFactors } from "./change";

const PATH = "/home/keep-phone";
const NOT_ME = "/cp/not-me";

/** The number that waits. Without one there is nothing to stop. */
async function waitingPhone(visit: Visit) {
  const { newPhone } = await loadFromBackend(visit, "profile");
  if (!newPhone) throw visit.redirectTo(NOT_ME);
  return newPhone;
}

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const newPhone = await waitingPhone(visit);
  return {
    title: signInTitle(visit.t, visit.t("factors:keepPhone.header")),
    newPhone,
    proof: await loadChange(visit, PATH, await loadFactors(visit)),
  };
}

/** Stops a new phone number that waits. The code goes to the number in use, so its owner always can. */
export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  await waitingPhone(visit);
  return answerChange(visit, {
    path: PATH,
    change: (proof) => visit.call("stopNewPhone", proof),
    done: async () => {
      await visit.leaveNotice({ kind: "success", texts: ["cp:notMe.phoneKept"] });
      return visit.redirectTo(NOT_ME);
    },
    back: NOT_ME,
  });
}

export default function KeepPhone() {
  const t = useTexts();
  const { newPhone, proof } = useLoaderData<typeof loader>();
  return (
    <ChangeScreen
      proof={proof}
      header={t("factors:keepPhone.header")}
      reason={t("factors:keepPhone.reason", { number: newPhone.phone })}
      submit={t("factors:keepPhone.header")}
      refused={useActionData<typeof action>()}
    />
  );
}
