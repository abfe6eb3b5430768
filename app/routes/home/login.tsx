import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { textsFor } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { brand } from "~/platform/brand.server";
import { FormErrorDialog } from "~/screen/form-messages";
import { noticeOf } from "~/screen/notice.server";
import { NoticeBox } from "~/screen/notice-box";
import { publicHost } from "~/screen/public-host.server";
import { SignInForm } from "~/screen/sign-in-form";
import { answerSignIn, signInWords } from "~/screen/sign-in-step.server";
import { enter } from "~/session/gate.server";
import { ButtonLink } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { PageHeading } from "~/ui/page-heading";
import { SplitPage } from "~/ui/split-page";
import { TextLink } from "~/ui/text-link";

export async function loader({ request }: LoaderFunctionArgs) {
  await enter(request, "signed-out");
  const t = await textsFor(request);
  return {
    title: t("common:app.titleHome", { brand: brand().name }),
    notice: await noticeOf(request, t),
    ...signInWords(t),
    words: words(t, {
      header: "login:header",
      lead: "login:lead",
      usernameHelp: "login:username.tooltip",
      forgotUsername: "login:forgotUsername",
      registerHeader: "login:register.header",
      registerText: "login:register.text",
      register: "login:register.button",
      claim: "layout:brand.claim",
    }),
    helpTitle: t("common:field.tooltipOpen", { label: t("login:username.label") }),
    points: [t("layout:brand.point1"), t("layout:brand.point2"), t("layout:brand.point3")],
    safety: t("login:safety", { host: publicHost(request) }),
  };
}

export async function action({ request }: ActionFunctionArgs) {
  await enter(request, "signed-out");
  return answerSignIn(request);
}

export default function Login() {
  const { words, notice, helpTitle, points, safety, ...form } = useLoaderData<typeof loader>();
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
          usernameHelp={
            <div>
              <p>
                <TextLink to="/home/remind-login-init">{words.forgotUsername}</TextLink>
              </p>
              <Disclosure summary={helpTitle}>{words.usernameHelp}</Disclosure>
            </div>
          }
        />
        <section className="mt-8 border-t border-neutral-200 pt-6">
          <h2 className="text-xl font-semibold">{words.registerHeader}</h2>
          <p className="mt-1 text-sm text-neutral-700">{words.registerText}</p>
          <p className="mt-4">
            <ButtonLink to="/home/register" variant="secondary" size="large">
              {words.register}
            </ButtonLink>
          </p>
        </section>
        <p className="mt-6 text-sm text-neutral-600">{safety}</p>
      </SplitPage>
    </>
  );
}
