import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode } from "~/contract/rules";
import { signInTitle } from "~/shell/layout.server";
import { signedIn, signedInOrTwin } from "~/visit/gate.server";
import { answerCodeStep } from "../kit/steps.server";
import { codeStatusInSession } from "../kit/code-words.server";
import { newPasswordForm } from "../kit/forms";
import { findWeakness, passwordChangedNotice, personalOf } from "../kit/password-advice.server";
import { NoticeBox } from "../kit/notice-box";
import { noticeText } from "../kit/notice.server";
import { NewPasswordScreen } from "../kit/new-password-screen";
import { newPasswordWords } from "../kit/new-password-words.server";
import { passwordChange } from "./flow.server";

const HERE = "/home/change-password";

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  return {
    title: signInTitle(t, t("password:change.title")),
    ...(await codeStatusInSession(visit, visit.flow(passwordChange))),
    ...newPasswordWords(t, "change", customer.username),
    notice: noticeText(visit),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedInOrTwin(args);
  const username =
    visit.flow(passwordChange)?.username ?? (customer ?? (await signedIn(args)).customer).username;
  return answerCodeStep(visit, {
    here: HERE,
    form: newPasswordForm,
    flow: passwordChange,
    remember: () => ({ username }),
    // Without a session, the code for a new password is requested on the start page.
    send: async (resend) =>
      customer
        ? visit.call("passwordResetInit", { username, ...resend })
        : visit.redirectOnFailure({ kind: "signed-out" }),
    confirm: ({ authorizationCode, newPassword }) =>
      visit.call("passwordResetConfirm", {
        username,
        newPassword,
        authorizationCode: readCode(authorizationCode),
      }),
    advise: async ({ newPassword }) => findWeakness(newPassword, await personalOf(visit, username)),
    done: async (_nothing, _values, weakness) => {
      await visit.leaveNotice(passwordChangedNotice(weakness));
      return visit.redirectTo("/cp/profile");
    },
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo("/cp/profile");
    },
  });
}

export default function ChangePassword() {
  const { notice, ...screen } = useLoaderData<typeof loader>();
  return (
    <NewPasswordScreen
      {...screen}
      here={HERE}
      arrival={<NoticeBox notice={notice} />}
      refused={useActionData<typeof action>()}
    />
  );
}
