import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { words } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import { ButtonLink } from "~/ui/button";
import { FieldHelp } from "~/ui/text-field";
import { PageHeading, SplitPage } from "~/ui/page-layout";
import { signedOut, signingIn } from "~/visit/gate.server";
import { typedUsername } from "~/visit/flow.server";
import { FormErrorDialog } from "../kit/form-messages";
import { NoticeBox } from "../kit/notice-box";
import { noticeText } from "../kit/notice.server";
import { SignInForm } from "../kit/sign-in-form";
import { answerSignIn, signInWords } from "../kit/sign-in.server";
import { safetyLine } from "./safety-line.server";

export async function loader(args: LoaderFunctionArgs) {
  const visit = await signedOut(args);
  const { t } = visit;
  const typed = visit.flow(typedUsername)?.username;
  if (typed !== undefined) visit.forgetFlow();
  return {
    title: t("common:app.titleHome", { brand: brand().name }),
    notice: noticeText(visit),
    typed,
    ...signInWords(t),
    words: words(t, {
      header: "signIn:header",
      lead: "signIn:lead",
      usernameHelpTitle: "signIn:username.tooltipTitle",
      usernameHelp: "signIn:username.tooltip",
      forgotUsername: "signIn:forgotUsername",
      registerHeader: "signIn:register.header",
      registerText: "signIn:register.text",
      register: "signIn:register.button",
      claim: "layout:brand.claim",
    }),
    points: [t("layout:brand.point1"), t("layout:brand.point2"), t("layout:brand.point3")],
    safety: safetyLine(t),
  };
}

export async function action(args: ActionFunctionArgs) {
  return answerSignIn(await signingIn(args));
}

export default function Login() {
  const { words, notice, points, safety, ...form } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here="/home" />
      <SplitPage claim={words.claim} points={points}>
        <PageHeading header={words.header}>{words.lead}</PageHeading>
        {!refused && <NoticeBox notice={notice} />}
        <SignInForm
          {...form}
          action="/home?index"
          refused={refused}
          usernameHelp={<FieldHelp summary={words.usernameHelpTitle}>{words.usernameHelp}</FieldHelp>}
          forgotUsername={words.forgotUsername}
        />
        <section className="mt-8 border-t border-line pt-6">
          <h2 className="text-xl">{words.registerHeader}</h2>
          <p className="mt-1 text-sm text-muted">{words.registerText}</p>
          <p className="mt-4">
            <ButtonLink to="/home/register" variant="secondary" size="large">
              {words.register}
            </ButtonLink>
          </p>
        </section>
        <p className="mt-6 text-sm text-muted">{safety}</p>
      </SplitPage>
    </>
  );
}
