import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readPolicyNo } from "~/contract/rules";
import { defineForm, keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { BadgePicture } from "~/ui/illustrations";
import { TextField } from "~/ui/text-field";
import { defineCodeFlow, remembering } from "~/visit/flow.server";
import { signedOut } from "~/visit/gate.server";
import { noticeText } from "../kit/notice";
import { StartScreen } from "../kit/start-screen";
import { answerStartStep } from "../kit/steps";

const HERE = "/home/remind-login-init";

/** `/home/remind-login-init`. Firefox would take a field for the username if "username" were in its id (F32). */
export const remindUsernameForm = defineForm("send-reminder-code", {
  policyNo: { rule: "number", label: "username:remindInit.policyNo", sample: "POL-100001" },
});

/** A username reminder, between policy number and code. */
export const usernameReminder = defineCodeFlow(
  "remind-username",
  "/home/remind-login-init",
  remembering(remindUsernameForm.kept),
);

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("username:remindInit.title")),
    notice: noticeText(visit),
    values: keptValues(remindUsernameForm, visit.flow(usernameReminder)),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signedOut(args);
  return answerStartStep(visit, {
    form: remindUsernameForm,
    flow: usernameReminder,
    // As typed: the backend finds a number by its exact spelling first.
    remember: ({ policyNo }) => ({ policyNo: readPolicyNo(policyNo).typed }),
    send: (details) => visit.call("loginRemindInit", details),
    next: "/home/remind-login-submit",
  });
}

export default function RemindLoginInit() {
  const t = useTexts();
  const { values, notice } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(remindUsernameForm, { refused, values });
  const policyNo = form.input("policyNo");
  return (
    <StartScreen
      here={HERE}
      header={t("username:remindInit.header")}
      lead={t("username:remindInit.lead")}
      submit={t("username:remindInit.submit")}
      hasWayBack
      picture={<BadgePicture />}
      notice={notice}
      refused={refused}
      form={form}
      fields={
        <TextField
          {...policyNo}
          hint={t("register:policyNo.hint")}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
      }
    />
  );
}
