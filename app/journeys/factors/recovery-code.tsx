import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import { readRecoveryCode, RECOVERY_END } from "~/contract/rules";
import type { Answer } from "~/contract/refusal.server";
import { openForm } from "~/forms/open-form.server";
import type { RefusedForm } from "~/forms/refused-form";
import { useScreenForm } from "~/forms/screen-form";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { Button } from "~/ui/button";
import { ForScripts } from "~/ui/for-scripts";
import { BadgePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextField } from "~/ui/text-field";
import { signedIn } from "~/visit/gate.server";
import type { Notice } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { ConfirmButtons, RECOVERY_TYPED_MAX } from "../kit/factor-screen";
import { factorChange } from "../kit/flows";
import { FormAlertBox, FormErrorDialog } from "../kit/form-messages";
import { afterSignIn } from "../kit/notice";
import {
  answerChange,
  changeOn,
  FACTORS,
  loadChange,
  loadFactors,
  leaveWithResult,
  resultAddress,
} from "./change";
import { ChangeScreen } from "./change-screen";
import { CopyButton } from "./copy-button";
import { recoveryCodeKeptForm } from "./forms";

const HERE = "/home/recovery-code";
const RECOVERED: Notice = { kind: "info", texts: ["factors:result.recovered"] };

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t } = visit;
  const title = signInTitle(t, t("factors:recovery.title"));
  const flow = changeOn(visit, HERE);
  if (flow?.recoveryCode !== undefined)
    return {
      step: 2 as const,
      title,
      code: flow.recoveryCode,
      replaced: flow.after === "added" ? undefined : t("factors:recovery.old"),
      words: words(t, {
        header: "factors:recovery.header",
        why: "factors:recovery.why",
        label: "factors:recovery.label",
        lastHint: "factors:recovery.lastHint",
        submit: "factors:recovery.submit",
        copy: "common:action.copy",
        copied: "factors:recovery.copied",
        print: "cp:policy.print",
        checking: "common:loading.checking",
        back: "common:action.back",
      }),
    };
  const header = t("factors:recovery.askHeader");
  const texts = {
    title,
    header,
    reason: t("factors:recovery.askReason"),
    submit: t("factors:recovery.make"),
  };
  return { step: 1 as const, ...(await loadChange(visit, HERE, await loadFactors(visit), texts)) };
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
  if (form.intent !== "back" && after === "added" && kind) return leaveWithResult(visit, after, kind);
  visit.forgetFlow();
  if (form.intent === "back") return visit.redirectTo(FACTORS);
  return visit.redirectTo(resultAddress(after ?? "recovery"));
}

/** Tells the backend that the code is written down. A backend without this call doesn't ask for it. */
async function noteKept({ backend }: Visit): Promise<Answer<object>> {
  const noted = await backend.call("recoveryCodeKept", {});
  return noted.kind === "not-found" ? { kind: "done", value: {} } : noted;
}

/** Whether it is the end of a code, or all of it: who has the code at hand may paste it whole. */
function isEndOf(code: string, typed: string): boolean {
  const end = readRecoveryCode(typed);
  return end.length >= RECOVERY_END && readRecoveryCode(code).endsWith(end);
}

export default function RecoveryCode() {
  const screen = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return screen.step === 1 ? (
    <ChangeScreen {...screen} refused={refused} />
  ) : (
    <KeepCode {...screen} refused={refused} />
  );
}

type Shown = Extract<Awaited<ReturnType<typeof loader>>, { step: 2 }>;

function KeepCode({ code, replaced, words, refused }: Shown & { readonly refused: RefusedForm | undefined }) {
  const { form, input, alert } = useScreenForm(recoveryCodeKeptForm, { refused });
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen picture={<BadgePicture />}>
        <PageHeading header={words.header}>{words.why}</PageHeading>
        {replaced !== undefined && <p className="mt-2 font-semibold">{replaced}</p>}
        <div className="mt-6">
          <p className="font-semibold">{words.label}</p>
          <p className="mt-1 max-w-line rounded-control bg-tint p-4 text-xl font-semibold">
            {/* Lines break only between its groups. */}
            {code.split(/(?<=-)/).map((group, nth) => (
              <span key={`${nth}-${group}`} className="inline-block whitespace-nowrap">
                {group}
              </span>
            ))}
          </p>
          <div className="mt-2 flex flex-wrap items-center">
            <div className="mr-3">
              <CopyButton {...words} value={code} />
            </div>
            <ForScripts name="print">
              <Button type="button" variant="secondary" wide={false}>
                {words.print}
              </Button>
            </ForScripts>
          </div>
        </div>
        <FormAlertBox alert={alert} formId={form.id} />
        <Form method="post" action={HERE} {...form} className="mt-6 space-y-6">
          <TextField
            {...input("last")}
            hint={words.lastHint}
            autoComplete="off"
            autoCapitalize="characters"
            autoCorrect="off"
            spellCheck={false}
            maxLength={RECOVERY_TYPED_MAX}
          />
          <ConfirmButtons {...words} />
        </Form>
      </Screen>
    </>
  );
}
