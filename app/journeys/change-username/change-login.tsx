import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readUsername } from "~/contract/rules";
import { keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { sentences, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/titles";
import { BulletList } from "~/ui/bullet-list";
import { TextField } from "~/ui/text-field";
import { signedIn } from "~/visit/gate.server";
import { CodeScreen } from "../kit/code-screen";
import { answerProof, loadProven } from "../kit/proof";
import { formInWay } from "../kit/proof-forms";
import { USERNAME_CHANGED, usernameChange } from "./flow";
import { newUsernameForm, newUsernameForms } from "./forms";

const HERE = "/home/change-login";

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const flow = visit.flow(usernameChange);
  const { username } = customer;
  const { screen, asks, lead } = await loadProven(visit, {
    path: HERE,
    flow: usernameChange,
    ask: () => visit.call("loginChangeInit", { username, method: "passkey" }),
  });
  return {
    title: signInTitle(t, t("username:change.title")),
    ...screen,
    values: keptValues(newUsernameForm, flow),
    current: t("username:change.current", { username }),
    limit: t("username:change.limit"),
    rules: [t("username:change.ruleLength"), t("username:change.ruleChars"), t("username:change.ruleLetter")],
    words: {
      ...words(t, {
        header: "username:change.header",
        lead: "username:change.lead",
        submit: "username:change.submit",
        back: "common:action.back",
        rulesTitle: "username:change.rulesTitle",
      }),
      ...lead,
      reason: sentences(t, [asks, "username:change.limit"]),
    },
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const flow = visit.flow(usernameChange);
  const username = flow?.username ?? customer.username;
  const origin = flow?.origin ?? "/cp/profile";
  return answerProof(visit, {
    path: HERE,
    forms: newUsernameForms,
    flow: usernameChange,
    remember: (posted) => ({
      username,
      origin,
      newUsername: posted("newUsername"),
      newUsernameRepeat: posted("newUsernameRepeat"),
    }),
    send: (by) => visit.call("loginChangeInit", { username, ...by }),
    confirm: ({ code, ...proof }, { newUsername }) =>
      visit.call("loginChangeConfirm", {
        username,
        newUsername: readUsername(newUsername),
        authorizationCode: code,
        ...proof,
      }),
    // "Confirm, then /cp if it came from confirm-login, otherwise /cp/profile" (specification §4).
    done: () => ({ to: origin === "/home/confirm-login" ? "/cp" : "/cp/profile", notice: USERNAME_CHANGED }),
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(origin);
    },
  });
}

export default function ChangeLogin() {
  const { words, values, current, limit, rules, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(formInWay(newUsernameForms, screen.proof.method), { refused, values });
  const newUsername = form.input("newUsername");
  const repeat = form.input("newUsernameRepeat");
  const nameField = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;
  return (
    <CodeScreen
      {...screen}
      words={words}
      form={form}
      refused={refused}
      notice={
        <div>
          <p>{current}</p>
          <p className="text-sm text-muted">{limit}</p>
        </div>
      }
      fields={
        <>
          <TextField {...newUsername} {...nameField} describedBy="new-username-rules" autoComplete="username">
            <div id="new-username-rules" className="mt-3 rounded-control bg-tint p-4 text-sm">
              <p className="font-semibold">{words.rulesTitle}</p>
              <BulletList items={rules} />
            </div>
          </TextField>
          <TextField
            {...repeat}
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
