import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/texts.server";
import { signInTitle } from "~/shell/layout.server";
import { Alert } from "~/ui/alert";
import { BadgePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextLink } from "~/ui/text-link";
import { signedOut, signingIn } from "~/visit/gate.server";
import { remindedUsername } from "../kit/flows.server";
import { FormErrorDialog } from "../kit/form-messages";
import { SignInForm } from "../kit/sign-in-form";
import { answerSignIn, signInWords } from "../kit/sign-in.server";

const HERE = "/home/remind-login-final";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { username } = await visit.requireFlow(remindedUsername);
  const { t } = visit;
  return {
    title: signInTitle(t, t("signIn:remindFinal.title")),
    username,
    note: t("signIn:remindFinal.note", { username }),
    ...signInWords(t),
    words: words(t, {
      header: "signIn:header",
      text: "signIn:remindFinal.text",
      other: "signIn:remindFinal.other",
      success: "common:a11y.success",
    }),
  };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signingIn(args);
  const { username } = await visit.requireFlow(remindedUsername);
  return answerSignIn(visit, username);
}

export default function RemindLoginFinal() {
  const { words, note, username, ...form } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen picture={<BadgePicture />}>
        <PageHeading header={words.header} />
        <div className="mt-4">
          <Alert kind="success" word={words.success}>
            {note}
          </Alert>
        </div>
        <p className="mt-4">{words.text}</p>
        <SignInForm {...form} action={HERE} refused={refused} username={username} />
        <p>
          <TextLink to="/home">{words.other}</TextLink>
        </p>
      </Screen>
    </>
  );
}
