import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readCode, readUsername } from "~/contract/identifiers";
import { FORMS } from "~/forms/forms";
import { useScreenForm } from "~/forms/screen-form";
import { textsFor, type Translate } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { environment } from "~/platform/environment.server";
import { CodeScreen } from "~/screen/code-screen";
import { answerCodeStep } from "~/screen/code-step.server";
import { codeStatus, codeWords } from "~/screen/code-words.server";
import { ruleTexts } from "~/screen/form-texts.server";
import { secretWords } from "~/screen/secret-words.server";
import { customerTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { forgetFlow, leaveNotice, readFlow } from "~/session/flow.server";
import { enter, go } from "~/session/gate.server";
import { BulletList } from "~/ui/bullet-list";
import { TextField } from "~/ui/text-field";

const HERE = "/home/change-login";

export async function loader({ request }: LoaderFunctionArgs) {
  const { username } = await enter(request, "signed-in");
  const t = await textsFor(request);
  const flow = await readFlow(request, "change-username");
  return {
    title: customerTitle(t, t("username:change.title")),
    ...codeStatus(t, flow, false),
    values: { newUsername: flow?.newUsername ?? "", newUsernameRepeat: flow?.newUsernameRepeat ?? "" },
    code: codeWords(t),
    secret: secretWords(t),
    texts: ruleTexts(t, FORMS.newUsername),
    current: t("username:change.current", { username }),
    limit: t("username:change.limit", { count: environment().limits.USERNAME_CHANGES }),
    rules: [t("username:change.ruleLength"), t("username:change.ruleChars"), t("username:change.ruleLetter")],
    words: words(t, {
      header: "username:change.header",
      lead: "username:change.lead",
      submit: "username:change.submit",
      back: "common:action.back",
      newUsername: "username:change.new",
      repeat: "username:change.repeat",
      rulesTitle: "username:change.rulesTitle",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  const customer = await enter(request, "signed-in");
  const backend = backendFor(request);
  const flow = await readFlow(request, "change-username");
  const username = flow?.username ?? customer.username;
  const origin = flow?.origin ?? "/cp/profile";
  return answerCodeStep(request, {
    here: HERE,
    form: FORMS.newUsername,
    labels,
    codeSent: flow?.codeSentAt !== undefined,
    send: (resend) => backend.call("loginChangeInit", { username, ...resend }),
    remember: (sent, posted) => ({
      name: "change-username",
      ...sent,
      username,
      origin,
      newUsername: posted("newUsername"),
      newUsernameRepeat: posted("newUsernameRepeat"),
    }),
    confirm: ({ authorizationCode, newUsername }) =>
      backend.call("loginChangeConfirm", {
        username,
        newUsername: readUsername(newUsername),
        authorizationCode: readCode(authorizationCode),
      }),
    // "Confirm, then /cp if it came from confirm-login, otherwise /cp/profile" (specification §4).
    done: async () => {
      await leaveNotice("username-changed");
      return go(request, origin === "/home/confirm-login" ? "/cp" : "/cp/profile");
    },
    back: () => {
      forgetFlow();
      return go(request, origin);
    },
  });
}

function labels(t: Translate) {
  return {
    authorizationCode: t("common:code.label"),
    newUsername: t("username:change.new"),
    newUsernameRepeat: t("username:change.repeat"),
  };
}

export default function ChangeUsername() {
  const { words, texts, values, current, limit, rules, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.newUsername, { refused, texts, values });
  const newUsername = form.input("newUsername", "text");
  const repeat = form.input("newUsernameRepeat", "text");
  const nameField = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;
  return (
    <CodeScreen
      {...screen}
      here={HERE}
      words={words}
      form={form}
      refused={refused}
      notice={
        <>
          <p>{current}</p>
          <p>{limit}</p>
        </>
      }
      fields={
        <>
          <TextField
            {...newUsername}
            {...nameField}
            label={words.newUsername}
            describedBy="nowa-nazwa-zasady"
            autoComplete="username"
          >
            <div id="nowa-nazwa-zasady" className="mt-3 rounded-control bg-teal-50 p-4 text-sm">
              <p className="font-semibold">{words.rulesTitle}</p>
              <BulletList items={rules} />
            </div>
          </TextField>
          <TextField
            {...repeat}
            {...nameField}
            label={words.repeat}
            autoComplete="off"
            // "Checked on change" (specification §5), not only when the field is left.
            onInput={() => {
              form.check("newUsernameRepeat");
            }}
          />
        </>
      }
    />
  );
}
