import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { FormErrorDialog } from "~/screen/form-messages";
import { SignInForm } from "~/screen/sign-in-form";
import { answerSignIn, signInWords } from "~/screen/sign-in-step.server";
import { signInTitle } from "~/screen/titles.server";
import { continueFlow } from "~/session/flow-gate.server";
import { enter } from "~/session/gate.server";
import { Alert } from "~/ui/alert";
import { Card } from "~/ui/card";
import { PageHeading } from "~/ui/page-heading";
import { TextLink } from "~/ui/text-link";

const HERE = "/home/remind-login-final";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const { username } = await continueFlow(request, "reminded");
  const t = await textsFor(request);
  return {
    title: signInTitle(t, t("login:remindFinal.title")),
    username,
    note: t("login:remindFinal.note", { username }),
    ...signInWords(t),
    words: words(t, {
      header: "login:header",
      text: "login:remindFinal.text",
      other: "login:remindFinal.other",
      success: "common:a11y.success",
    }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  const { username } = await continueFlow(request, "reminded");
  return answerSignIn(request, username);
}

export default function RemindedSignIn() {
  const { words, note, username, ...form } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Card>
        <PageHeading header={words.header} />
        <div className="mt-4">
          <Alert kind="success" word={words.success}>
            {note}
          </Alert>
        </div>
        <p className="mt-4">{words.text}</p>
        <SignInForm {...form} action={HERE} refused={refused} username={username} />
        <p className="mt-6">
          <TextLink to="/home">{words.other}</TextLink>
        </p>
      </Card>
    </>
  );
}
