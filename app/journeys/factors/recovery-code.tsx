import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { readRecoveryCode, RECOVERY_END } from "~/contract/rules";
import type { Answer } from "~/contract/refusal.server";
import { defineForm } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { timeInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { Button } from "~/ui/button";
import { CopyButton } from "~/ui/copy-button";
import { ForScripts } from "~/ui/for-scripts";
import { BadgePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { signedIn } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { ConfirmButtons, RECOVERY_TYPED_MAX } from "../kit/proof-fields";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { afterSignIn } from "../kit/notice";
import {
  answerChange,
  changeOn,
  ChangeScreen,
  FACTORS,
  loadChange,
  loadFactors,
  leaveWithResult,
  resultAddress,
} from "./change";

const HERE = "/home/recovery-code";
const RECOVERED: Notice = { kind: "info", texts: ["factors:result.recovered"] };

/** The last characters of a recovery code: they show that the customer has it at hand. */
export const recoveryCodeKeptForm = defineForm("recovery-code-kept", {
  last: {
    rule: "identifier",
    label: "factors:recovery.last",
    refusedByBackend: "factors:recovery.notLast",
    secret: true,
    sample: "DE27",
  },
});

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const title = signInTitle(t, t("factors:recovery.title"));
  const flow = changeOn(visit, HERE);
  if (flow?.recoveryCode !== undefined) {
    const { username } = customer;
    return { title, shown: { code: flow.recoveryCode, replacesOne: flow.after !== "added", username } };
  }
  return { title, proof: await loadChange(visit, HERE, await loadFactors(visit)) };
}

export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  const flow = changeOn(visit, HERE);
  if (flow?.recoveryCode !== undefined) return keepCode(visit, flow.recoveryCode, flow);
  return answerChange(visit, {
    path: HERE,
    change: (proof) => visit.call("newRecoveryCode", proof),
    done: async ({ recoveryCode }) => {
      await visit.remember(factorChange, { path: HERE, resent: false, recoveryCode, after: "recovery" });
      return visit.redirectTo(HERE);
    },
  });
}

/** Goes on once the customer has typed the end of the code, which shows that they have it at hand. */
async function keepCode(
  visit: Visit,
  code: string,
  { after, kind, leadsTo, notice }: NonNullable<ReturnType<typeof changeOn>>,
) {
  const form = openForm(await visit.posted(), recoveryCodeKeptForm);
  if (form.intent !== "back") {
    const checked = form.check();
    if (!checked.ok) return form.refuse(visit.t, checked.refused);
    if (!isEndOf(code, checked.values.last))
      return form.refuse(visit.t, { kind: "invalid", fields: ["last"] });
    const noted = await visit.redirectOnFailure(await noteKept(visit));
    if (noted.kind !== "done") return form.refuse(visit.t, noted, { isSignedIn: true });
  }
  if (after === "sign-in") {
    await visit.leaveNotice(afterSignIn(RECOVERED));
    return visit.redirectTo("/cp");
  }
  if (after === "change") {
    if (notice) await visit.leaveNotice(notice);
    else visit.forgetFlow();
    return visit.redirectTo(leadsTo ?? "/cp/profile");
  }
  // The factor was added, even if the customer skips the code; My Data warns of an unsaved code.
  if (after === "added" && kind) return leaveWithResult(visit, after, kind);
  visit.forgetFlow();
  if (form.intent === "back") return visit.redirectTo(FACTORS);
  return visit.redirectTo(resultAddress(after ?? "recovery"));
}

/** Tells the backend that the code is written down. A backend without this call doesn't ask for it. */
async function noteKept({ backend }: Visit): Promise<Answer<object>> {
  const noted = await backend.call("recoveryCodeKept", {});
  return noted.kind === "not-found" ? { kind: "done", value: {} } : noted;
}

/** Whether the text is the end of the code, or the whole code, which a customer may paste. */
function isEndOf(code: string, typed: string): boolean {
  const end = readRecoveryCode(typed);
  return end.length >= RECOVERY_END && readRecoveryCode(code).endsWith(end);
}

export default function RecoveryCode() {
  const t = useTexts();
  const { shown, proof } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  if (shown) return <KeepCode {...shown} refused={refused} />;
  return (
    <ChangeScreen
      proof={proof}
      header={t("factors:recovery.askHeader")}
      reason={t("factors:recovery.askReason")}
      submit={t("factors:recovery.make")}
      refused={refused}
    />
  );
}

interface KeepCodeProps {
  readonly code: string;
  readonly replacesOne: boolean;
  readonly username: string;
  readonly refused: RefusedForm | undefined;
}

function KeepCode({ code, replacesOne, username, refused }: KeepCodeProps) {
  const t = useTexts();
  const { form, input, alert } = useScreenForm(recoveryCodeKeptForm, { refused });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen picture={<BadgePicture />}>
        <PageHeading header={t("factors:recovery.header")}>{t("factors:recovery.why")}</PageHeading>
        {replacesOne && <p className="mt-2 font-semibold">{t("factors:recovery.old")}</p>}
        <div className="mt-6">
          <p className="font-semibold">{t("factors:recovery.label")}</p>
          <p className="mt-1 max-w-line rounded-control bg-tint p-4 text-xl font-semibold">
            {/* Lines break only between its groups. */}
            {code.split(/(?<=-)/).map((group, nth) => (
              <span key={`${nth}-${group}`} className="inline-block whitespace-nowrap">
                {group}
              </span>
            ))}
          </p>
          {/* On paper an old code and a new one must not look alike. */}
          <p className="mt-2 hidden print:block">
            {t("factors:recovery.sheet", { username, moment: timeInPoland(t, Date.now()) })}
          </p>
          <div className="mt-2 flex flex-wrap items-center">
            <div className="mr-3">
              <ForScripts name="print">
                <Button type="button" variant="secondary" wide={false}>
                  {t("cp:policy.print")}
                </Button>
              </ForScripts>
            </div>
            <CopyButton value={code} copied={t("factors:recovery.copied")} />
          </div>
        </div>
        <FormAlertBox alert={alert} formId={form.id} />
        <Form method="post" action={HERE} {...form} data-screen-only className="mt-6 space-y-6">
          <TextField
            {...input("last")}
            hint={t("factors:recovery.lastHint")}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={RECOVERY_TYPED_MAX}
          />
          <ConfirmButtons submit={t("factors:recovery.submit")} />
        </Form>
      </Screen>
    </>
  );
}
