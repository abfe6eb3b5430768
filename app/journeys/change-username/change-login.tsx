import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode, readUsername } from "~/contract/rules";
import { formTexts } from "~/forms/form-texts.server";
import { keptValues } from "~/forms/form-definition";
import { useScreenForm } from "~/forms/screen-form";
import { sentences, words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { BulletList } from "~/ui/bullet-list";
import { TextField } from "~/ui/text-field";
import { signedIn } from "~/visit/gate.server";
import { CodeScreen } from "../kit/code-screen";
import { answerCodeStep } from "../kit/steps.server";
import { codeStatusInSession, codeWords } from "../kit/code-words.server";
import { USERNAME_CHANGED, usernameChange } from "./flow.server";
import { newUsernameForm } from "./forms";

const HERE = "/home/change-login";

export async function loader(args: LoaderFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const { t } = visit;
  const flow = visit.flow(usernameChange);
  return {
    title: signInTitle(t, t("username:change.title")),
    ...(await codeStatusInSession(visit, flow)),
    values: keptValues(newUsernameForm, flow),
    code: codeWords(t),
    texts: formTexts(t, newUsernameForm),
    current: t("username:change.current", { username: customer.username }),
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
      reason: sentences(t, ["common:code.reason", "username:change.limit"]),
    },
  };
}

export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const flow = visit.flow(usernameChange);
  const username = flow?.username ?? customer.username;
  const origin = flow?.origin ?? "/cp/profile";
  return answerCodeStep(visit, {
    here: HERE,
    form: newUsernameForm,
    flow: usernameChange,
    remember: (posted) => ({
      username,
      origin,
      newUsername: posted("newUsername"),
      newUsernameRepeat: posted("newUsernameRepeat"),
    }),
    send: (resend) => visit.call("loginChangeInit", { username, ...resend }),
    confirm: ({ authorizationCode, newUsername }) =>
      visit.call("loginChangeConfirm", {
        username,
        newUsername: readUsername(newUsername),
        authorizationCode: readCode(authorizationCode),
      }),
    // "Confirm, then /cp if it came from confirm-login, otherwise /cp/profile" (specification §4).
    done: async () => {
      await visit.leaveNotice(USERNAME_CHANGED);
      return visit.redirectTo(origin === "/home/confirm-login" ? "/cp" : "/cp/profile");
    },
    back: () => {
      visit.forgetFlow();
      return visit.redirectTo(origin);
    },
  });
}

export default function ChangeLogin() {
  const { words, texts, values, current, limit, rules, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(newUsernameForm, { refused, texts, values });
  const newUsername = form.input("newUsername");
  const repeat = form.input("newUsernameRepeat");
  const nameField = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;
  return (
    <CodeScreen
      {...screen}
      here={HERE}
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
