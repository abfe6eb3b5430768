import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { readUsername } from "~/contract/identifiers";
import { FORMS } from "~/forms/forms";
import { useScreenForm } from "~/forms/screen-form";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { ruleTexts } from "~/screen/form-texts.server";
import { noticeOf } from "~/screen/notice.server";
import { StartScreen } from "~/screen/start-screen";
import { answerStartStep } from "~/screen/start-step.server";
import { signInTitle } from "~/screen/titles.server";
import { backendFor } from "~/session/backend.server";
import { readFlow } from "~/session/flow.server";
import { enter } from "~/session/gate.server";
import { usernameForPath } from "~/session/username-for-path.server";
import { TextField } from "~/ui/text-field";
import { TextLink } from "~/ui/text-link";

const HERE = "/home/reset-password-init";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("password:resetInit.title")),
    notice: await noticeOf(request, t),
    values: { username: (await readFlow(request, "reset-password"))?.username ?? "" },
    texts: ruleTexts(t, FORMS.resetPassword),
    back: t("common:action.back"),
    words: words(t, {
      header: "password:resetInit.header",
      lead: "password:resetInit.lead",
      username: "login:username.label",
      submit: "password:resetInit.submit",
      sending: "common:loading.sending",
      noUsername: "password:resetInit.noUsername",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const backend = backendFor(request);
  return answerStartStep(request, {
    form: FORMS.resetPassword,
    labels: (t) => ({ username: t("login:username.label") }),
    begun: await readFlow(request, "reset-password"),
    remember: ({ username }, codeSentAt) => ({
      name: "reset-password",
      username: readUsername(username),
      codeSentAt,
      resent: false,
    }),
    send: ({ username }) => backend.call("passwordResetInit", { username: usernameForPath(username) }),
    next: "/home/reset-password-submit",
  });
}

export default function ResetPasswordInit() {
  const { words, values, texts, ...screen } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const form = useScreenForm(FORMS.resetPassword, { refused, texts, values });
  const username = form.input("username", "text");
  return (
    <StartScreen
      {...screen}
      here={HERE}
      words={words}
      refused={refused}
      form={form}
      fields={
        <TextField
          {...username}
          label={words.username}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      }
      more={<TextLink to="/home/remind-login-init">{words.noUsername}</TextLink>}
    />
  );
}
