import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { readUsername } from "~/contract/rules";
import { defineForm, keptValues } from "~/forms/form-definition";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { TextField } from "~/ui/text-field";
import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";
import { signedIn } from "~/visit/gate.server";
import { answerProof, askingTexts, loadProof } from "../kit/proof";
import { METHOD_MEMORY } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { ProofScreen, useProofForm } from "../kit/proof-screen";
import { formsByMethod } from "../kit/methods";

const HERE = "/home/change-login";

/** `/home/change-login`. */
export const newUsernameForm = defineForm("new-username", {
  authorizationCode: CODE_FIELD,
  newUsername: { rule: "newUsername", label: "username:change.new", sample: "anna.n" },
  newUsernameRepeat: { rule: "repeatedUsername", repeats: "newUsername", label: "username:change.repeat" },
});

/** The form for each method. */
export const newUsernameForms = formsByMethod(newUsernameForm);

/**
 * A username change. `username`: the username for which the code was requested, even if the change is confirmed twice.
 * `origin`: the screen where the change started. Typed values survive a resend.
 */
export const usernameChange = defineCodeFlow("change-username", "/home/change-login", {
  username: z.string(),
  origin: z.enum(["/home/confirm-login", "/cp/profile"]),
  ...remembering(newUsernameForm.kept),
  ...METHOD_MEMORY,
});

export const USERNAME_CHANGED: Notice = { kind: "success", texts: ["cp:result.username"] };

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const flow = visit.flow(usernameChange);
  const { username } = customer;
  const proof = await loadProof(visit, {
    path: HERE,
    flow: usernameChange,
    ask: () => visit.call("loginChangeInit", { username, method: "passkey" }),
  });
  return {
    title: signInTitle(t, t("username:change.title")),
    proof,
    username,
    values: keptValues(newUsernameForm, flow),
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const flow = visit.flow(usernameChange);
  const username = flow?.username ?? customer.username;
  const origin = flow?.origin ?? "/cp/profile";
  // "/cp if it came from confirm-login, otherwise /cp/profile" (specification §4).
  const to = origin === "/cp/profile" ? origin : "/cp";
  return answerProof(visit, {
    here: HERE,
    forms: newUsernameForms,
    flow: usernameChange,
    remember: (posted, proof) =>
      visit.remember(usernameChange, {
        username,
        origin,
        newUsername: posted("newUsername"),
        newUsernameRepeat: posted("newUsernameRepeat"),
        ...proof,
      }),
    send: (by) => visit.call("loginChangeInit", { username, ...by }),
    confirm: (proof, { newUsername }) =>
      visit.call("loginChangeConfirm", { username, newUsername: readUsername(newUsername), ...proof }),
    origin: to,
    done: () => ({ to, notice: USERNAME_CHANGED }),
    back: origin,
  });
}

export default function ChangeLogin() {
  const t = useTexts();
  const { proof, username, values } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useProofForm(newUsernameForms, proof, { refused, values });
  const asking = askingTexts(proof);
  const limit = t("username:change.limit");
  const nameField = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;
  return (
    <ProofScreen
      proof={proof}
      header={t("username:change.header")}
      lead={t(asking.lead ?? "username:change.lead")}
      reason={`${t(asking.reason)} ${limit}`}
      submit={t("username:change.submit")}
      form={form}
      refused={refused}
      notice={
        <div>
          <p>{t("username:change.current", { username })}</p>
          <p className="text-sm text-muted">{limit}</p>
        </div>
      }
      fields={
        <>
          <TextField
            {...form.input("newUsername")}
            {...nameField}
            describedBy="new-username-rules"
            autoComplete="username"
          >
            <div id="new-username-rules" className="mt-3 rounded-control bg-tint p-4 text-sm">
              <p className="font-semibold">{t("username:change.rulesTitle")}</p>
              <BulletList
                items={[
                  t("username:change.ruleLength"),
                  t("username:change.ruleChars"),
                  t("username:change.ruleLetter"),
                ]}
              />
            </div>
          </TextField>
          <TextField
            {...form.input("newUsernameRepeat")}
            {...nameField}
            autoComplete="off"
            // "Checked on change" (specification §5), not only when the field is left.
            data-check="input"
          />
        </>
      }
    />
  );
}
