import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { useTexts } from "~/i18n/use-texts";
import { signInTitle } from "~/shell/titles";
import { Alert } from "~/ui/alert";
import { BadgePicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { TextLink } from "~/ui/text-link";
import { signedOut, signingIn } from "~/visit/gate.server";
import { remindedUsername } from "../kit/flows";
import { FormErrorDialog } from "../kit/form-messages";
import { SignInForm, answerSignIn } from "../kit/sign-in-form";

const HERE = "/home/remind-login-final";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { username } = await visit.requireFlow(remindedUsername);
  const { t } = visit;
  return { title: signInTitle(t, t("signIn:remindFinal.title")), username };
}

export async function action(args: ActionFunctionArgs) {
  const visit = await signingIn(args);
  const { username } = await visit.requireFlow(remindedUsername);
  return answerSignIn(visit, username);
}

export default function RemindLoginFinal() {
  const t = useTexts();
  const { username } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={HERE} />
      <Screen picture={<BadgePicture />}>
        <PageHeading header={t("signIn:header")} />
        <div className="mt-4">
          <Alert kind="success">{t("signIn:remindFinal.note", { username })}</Alert>
        </div>
        <p className="mt-4">{t("signIn:remindFinal.text")}</p>
        <SignInForm action={HERE} refused={refused} username={username} />
        <p>
          <TextLink to="/home">{t("signIn:remindFinal.other")}</TextLink>
        </p>
      </Screen>
    </>
  );
}
