import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import type { Answer } from "~/contract/refusal.server";
import { openForm } from "~/forms/open-form.server";
import { useTexts } from "~/i18n/use-texts";
import { customerTitle } from "~/shell/titles";
import { Button, ButtonLink, ButtonRow } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { PadlockPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { BackLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { FormErrorDialog } from "../kit/form-messages";
import { buttonsOnlyForm } from "../kit/forms";
import { NoticeBox, ACCOUNT_SECURED, noticeText } from "../kit/notice";
import { NOT_ME, PROFILE } from "./addresses";
import { NewPhone } from "./profile-access";
import { AddedFactors } from "./profile-factors";
import { rememberAnswer } from "./sign-in-news";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t, backend } = visit;
  const [list, profile] = await Promise.all([backend.call("factors", {}), backend.call("profile", {})]);
  return {
    title: customerTitle(t, t("cp:notMe.title")),
    notice: noticeText(visit),
    newPhone: profile.kind === "done" ? profile.value.newPhone : undefined,
    factors: list.kind === "done" ? list.value : undefined,
  };
}

/** Ends all other sessions and all trust in devices, and leads to a new password. */
export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const form = openForm(await visit.posted(), buttonsOnlyForm);
  const outcome = await visit.redirectOnFailure(await endEverythingElse(visit));
  if (outcome.kind !== "done") return form.refuse(visit.t, outcome, { isSignedIn: true });
  await rememberAnswer(visit, customer.username, Date.now());
  await visit.leaveNotice(ACCOUNT_SECURED);
  return visit.redirectTo("/home/change-password");
}

/** Ends all other sessions, if the backend has a list of them, and all trust in devices. */
async function endEverythingElse({ backend }: Visit): Promise<Answer<object>> {
  const sessions = await backend.call("endOtherSessions", {});
  if (sessions.kind !== "done" && sessions.kind !== "not-found") return sessions;
  return backend.call("deleteTrustedDevices", {});
}

export default function NotMe() {
  const t = useTexts();
  const { factors, newPhone, notice } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={NOT_ME} />
      <Screen picture={<PadlockPicture />}>
        <BackLink to={PROFILE} text={t("cp:notMe.back")} />
        <PageHeading header={t("cp:notMe.header")}>{t("cp:notMe.lead")}</PageHeading>
        <NoticeBox notice={notice} />
        {refused?.alert && (
          <div className="mt-4">
            <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
          </div>
        )}
        <ol className="mt-6 list-decimal space-y-2 pl-6">
          <li>{t("cp:notMe.step1")}</li>
          <li>{t("cp:notMe.step2")}</li>
          <li>{t("cp:notMe.step3")}</li>
        </ol>
        <Form method="post" id={buttonsOnlyForm.id} className="mt-6">
          <ButtonRow>
            <Button type="submit" name="intent" value="confirm" size="large">
              {t("cp:notMe.submit")}
            </Button>
          </ButtonRow>
        </Form>
        {newPhone && (
          <div className="mt-8 border-t border-line pt-6">
            <p className="max-w-line">
              <NewPhone {...newPhone} />
            </p>
            <p className="mt-3">
              <ButtonLink to="/home/keep-phone" variant="secondary" wide={false}>
                {t("cp:notMe.keepPhone")}
              </ButtonLink>
            </p>
          </div>
        )}
        {factors && factors.factors.length > 0 && (
          <section className="mt-8 border-t border-line pt-6">
            <h2 className="text-xl">{t("cp:notMe.addedHeader")}</h2>
            <p className="mt-2 max-w-line">{t("cp:notMe.addedLead")}</p>
            <ul className="divide-y divide-line">
              <AddedFactors list={factors} />
            </ul>
          </section>
        )}
        <p className="mt-6 text-sm text-muted">
          <PhoneLinks text={t("cp:notMe.call")} />
        </p>
      </Screen>
    </>
  );
}
