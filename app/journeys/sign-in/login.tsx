import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { ButtonLink } from "~/ui/button";
import { FieldHelp } from "~/ui/text-field";
import { PageHeading, SplitPage } from "~/ui/page-layout";
import { signedOut, signingIn } from "~/visit/gate.server";
import { typedUsername } from "~/visit/flow.server";
import { FormErrorDialog } from "../kit/form-messages";
import { NoticeBox, noticeText } from "../kit/notice";
import { SignInForm, answerSignIn } from "../kit/sign-in-form";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const typed = visit.flow(typedUsername)?.username;
  if (typed !== undefined) visit.forgetFlow();
  return {
    title: visit.t("common:app.titleHome"),
    notice: noticeText(visit),
    typed,
  };
}

export async function action(args: ActionFunctionArgs) {
  return answerSignIn(await signingIn(args));
}

export default function Login() {
  const t = useTexts();
  const { notice, typed } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const points = [t("layout:brand.point1"), t("layout:brand.point2"), t("layout:brand.point3")];
  return (
    <>
      <FormErrorDialog refused={refused} here="/home" />
      <SplitPage claim={t("layout:brand.claim")} points={points}>
        <PageHeading header={t("signIn:header")}>{t("signIn:lead")}</PageHeading>
        {!refused && <NoticeBox notice={notice} />}
        <SignInForm
          action="/home?index"
          refused={refused}
          typed={typed}
          usernameHelp={
            <FieldHelp summary={t("signIn:username.tooltipTitle")}>{t("signIn:username.tooltip")}</FieldHelp>
          }
          remindsUsername
        />
        <section className="mt-8 border-t border-line pt-6">
          <h2 className="text-xl">{t("signIn:register.header")}</h2>
          <p className="mt-1 text-sm text-muted">{t("signIn:register.text")}</p>
          <p className="mt-4">
            <ButtonLink to="/home/register" variant="secondary" size="large">
              {t("signIn:register.button")}
            </ButtonLink>
          </p>
        </section>
        <p className="mt-6 text-sm text-muted">{safetyLine(t)}</p>
      </SplitPage>
    </>
  );
}

/** Says what our pages never ask for. Names their host only if the operator has set it: a request may claim any. */
export function safetyLine(t: Translate): string {
  const { PUBLIC_ORIGIN } = environment();
  return PUBLIC_ORIGIN === undefined
    ? t("signIn:safetyWithoutHost")
    : t("signIn:safety", { host: new URL(PUBLIC_ORIGIN).host });
}
