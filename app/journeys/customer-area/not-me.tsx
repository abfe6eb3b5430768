import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Form } from "react-router-dom";
import type { Answer } from "~/contract/refusal.server";
import { openForm } from "~/forms/open-form.server";
import { words } from "~/i18n/texts.server";
import { customerTitle } from "~/shell/titles";
import { Button, ButtonRow } from "~/ui/button";
import { ErrorSummary } from "~/ui/error-summary";
import { PadlockPicture } from "~/ui/illustrations";
import { PageHeading, Screen } from "~/ui/page-layout";
import { PhoneLinks } from "~/ui/phone";
import { BackLink } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import type { Visit } from "~/visit/visit.server";
import { FormErrorDialog } from "../kit/form-messages";
import { buttonsOnlyForm } from "../kit/forms";
import { NoticeBox } from "../kit/notice-box";
import { ACCOUNT_SECURED, noticeText } from "../kit/notice";
import { NOT_ME } from "./profile-activity";
import { FactorRows } from "./profile-factors";
import { addedFactors, newPhoneOf } from "./profile-words";
import { putNewsAway } from "./sign-in-news.server";
import { PROFILE } from "./profile-address";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { t, backend } = visit;
  const [list, profile] = await Promise.all([backend.call("factors", {}), backend.call("profile", {})]);
  const hasFactors = list.kind === "done" && list.value.factors.length > 0;
  return {
    notice: noticeText(visit),
    newPhone: profile.kind === "done" ? newPhoneOf(t, profile.value) : undefined,
    added: hasFactors ? addedFactors(t, list.value) : undefined,
    title: customerTitle(t, t("cp:notMe.title")),
    steps: [t("cp:notMe.step1"), t("cp:notMe.step2"), t("cp:notMe.step3")],
    words: words(t, {
      header: "cp:notMe.header",
      lead: "cp:notMe.lead",
      submit: "cp:notMe.submit",
      back: "cp:notMe.back",
      call: "cp:notMe.call",
      addedHeader: "cp:notMe.addedHeader",
      addedLead: "cp:notMe.addedLead",
      keepPhone: "cp:notMe.keepPhone",
    }),
  };
}

/** Ends all other sessions and all trust in devices, and leads to a new password. */
export async function action(args: ActionFunctionArgs) {
  const { visit } = await signedIn(args);
  const form = openForm(await visit.posted(), buttonsOnlyForm);
  if (form.intent === KEEP_PHONE) return keepPhone(visit, form);
  const outcome = await visit.redirectOnFailure(await endEverythingElse(visit));
  if (outcome.kind !== "done") return form.refuse(visit.t, outcome, { isSignedIn: true });
  await putNewsAway(visit);
  await visit.leaveNotice(ACCOUNT_SECURED);
  return visit.redirectTo("/home/change-password");
}

const KEEP_PHONE = "keep-phone";

/** Stops a new phone number that waits. */
async function keepPhone(visit: Visit, form: ReturnType<typeof openForm>) {
  const kept = await visit.call("deleteNewPhone", {});
  if (kept.kind !== "done") return form.refuse(visit.t, kept, { isSignedIn: true });
  await visit.leaveNotice({ kind: "success", texts: ["cp:notMe.phoneKept"] });
  return visit.redirectTo(NOT_ME);
}

/** Ends all other sessions, if the backend has a list of them, and all trust in devices. */
async function endEverythingElse({ backend }: Visit): Promise<Answer<object>> {
  const sessions = await backend.call("endOtherSessions", {});
  if (sessions.kind !== "done" && sessions.kind !== "not-found") return sessions;
  return backend.call("deleteTrustedDevices", {});
}

export default function NotMe() {
  const { words, steps, added, newPhone, notice } = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <>
      <FormErrorDialog refused={refused} here={NOT_ME} />
      <Screen picture={<PadlockPicture />}>
        <BackLink to={PROFILE} text={words.back} />
        <PageHeading header={words.header}>{words.lead}</PageHeading>
        <NoticeBox notice={notice} />
        {refused?.alert && (
          <div className="mt-4">
            <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
          </div>
        )}
        <ol className="mt-6 list-decimal space-y-2 pl-6">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <Form method="post" id={buttonsOnlyForm.id} className="mt-6">
          <ButtonRow>
            <Button type="submit" name="intent" value="confirm" size="large">
              {words.submit}
            </Button>
          </ButtonRow>
        </Form>
        {newPhone !== undefined && (
          <Form method="post" className="mt-8 border-t border-line pt-6">
            <p className="max-w-line">{newPhone}</p>
            <p className="mt-3">
              <Button type="submit" name="intent" value={KEEP_PHONE} variant="secondary" wide={false}>
                {words.keepPhone}
              </Button>
            </p>
          </Form>
        )}
        {added && (
          <section className="mt-8 border-t border-line pt-6">
            <h2 className="text-xl">{words.addedHeader}</h2>
            <p className="mt-2 max-w-line">{words.addedLead}</p>
            <FactorRows rows={added} />
          </section>
        )}
        <p className="mt-6 text-sm text-muted">
          <PhoneLinks text={words.call} />
        </p>
      </Screen>
    </>
  );
}
