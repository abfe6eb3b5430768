import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { signInTitle } from "~/shell/titles";
import { defineCodeFlow, noticeFlow } from "~/visit/flow.server";
import { signedIn, signedInOrDoubleSubmit } from "~/visit/gate.server";
import { findWeakness, passwordChangedNotice, personalOf, withLookAround } from "../kit/password-advice";
import { NoticeBox, ACCOUNT_SECURED, noticeText } from "../kit/notice";
import { newPasswordForms, NewPasswordScreen } from "../kit/new-password";
import { answerProof, loadProof } from "../kit/proof";
import { METHOD_MEMORY } from "../kit/flows";

const HERE = "/home/change-password";

/**
 * A password change. `username`: the username that the code was requested for. `secures`: it is the last step of "To nie
 * ja", after which the customer looks at what a stranger may have left.
 */
export const passwordChange = defineCodeFlow("change-password", HERE, {
  username: z.string(),
  secures: z.boolean().optional(),
  ...METHOD_MEMORY,
});

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const { username, name } = customer;
  const proof = await loadProof(visit, {
    path: HERE,
    flow: passwordChange,
    ask: () => visit.call("passwordResetInit", { username, method: "passkey" }),
  });
  return {
    title: signInTitle(t, t("password:change.title")),
    proof,
    username,
    name,
    notice: noticeText(visit),
    secures: visit.flow(noticeFlow)?.texts.some((text) => ACCOUNT_SECURED.texts.includes(text)) ?? false,
  };
}

/** A hidden field of the first form after "To nie ja". */
const SECURES = "secures";

export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedInOrDoubleSubmit(args);
  const begun = visit.flow(passwordChange);
  const username = begun?.username ?? (customer ?? (await signedIn(args)).customer).username;
  const secures = begun?.secures === true || (await visit.posted()).has(SECURES);
  return answerProof(visit, {
    here: HERE,
    forms: newPasswordForms,
    flow: passwordChange,
    remember: (_posted, proof) =>
      visit.remember(passwordChange, { username, ...(secures && { secures }), ...proof }),
    // Without a session, the code for a new password is requested on the start page.
    send: async (by) =>
      customer
        ? visit.call("passwordResetInit", { username, ...by })
        : visit.redirectOnFailure({ kind: "signed-out" }),
    confirm: (proof, { newPassword }) =>
      visit.call("passwordResetConfirm", { username, newPassword, ...proof }),
    advise: async ({ newPassword }) =>
      findWeakness(newPassword, await personalOf(visit, { name: "", ...customer, username })),
    done: (weakness) => ({
      to: "/cp/profile",
      notice: secures ? withLookAround(passwordChangedNotice(weakness)) : passwordChangedNotice(weakness),
    }),
    back: "/cp/profile",
  });
}

export default function ChangePassword() {
  const { notice, secures, proof, username, name } = useLoaderData<typeof loader>();
  return (
    <NewPasswordScreen
      mode="change"
      proof={proof}
      username={username}
      name={name}
      arrival={<NoticeBox notice={notice} />}
      hidden={secures && <input type="hidden" name={SECURES} value="Y" />}
      refused={useActionData<typeof action>()}
    />
  );
}
