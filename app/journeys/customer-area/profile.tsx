import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import { openForm } from "~/forms/open-form.server";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { customerTitle } from "~/shell/titles";
import { FoldedPart, FoldedParts } from "~/ui/disclosure";
import { CustomerPage, PageHeading } from "~/ui/page-layout";
import { ErrorSummary } from "~/ui/error-summary";
import { LinkButton } from "~/ui/text-link";
import { signedIn } from "~/visit/gate.server";
import { readableDeviceName } from "~/visit/browser.server";
import { type Offered, type Visit, valueIfOffered, valueToShow } from "~/visit/visit.server";
import { FormErrorDialog } from "../kit/form-messages";
import { buttonsOnlyForm } from "../kit/forms";
import { NoticeBox, type NoticeText, noticeText } from "../kit/notice";
import { offerNoPasskey } from "../kit/passkey-sign-in";
import {
  ACTIVITY_ID,
  DEVICES_ID,
  FACTORS_ID,
  POLICIES,
  PROFILE,
  SESSIONS_ID,
  asksForAllActivity,
} from "./addresses";
import { hasUnsavedCode, KnownPasskeys, NOT_NOW, UnsavedCode } from "./factor-hints";
import { ProfileAccess } from "./profile-access";
import { nearMoment, ProfileActivity } from "./profile-activity";
import { changeProfile } from "./profile-changes";
import { countOfDevices, Sessions, TrustedDevices } from "./profile-devices";
import { ProfileFactors, sumOfFactors } from "./profile-factors";
import { NEWS_SEEN, newsToShow, rememberAnswer, SignInNews } from "./sign-in-news";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const loaded = await load(visit);
  const { profile, activity, factors } = loaded;
  const { request, t } = visit;
  const changed = factorResult(request, t, typeof factors === "object" && factors.sms);
  const showsAllActivity = asksForAllActivity(request);
  return {
    ...loaded,
    title: customerTitle(t, t("cp:profile.title")),
    // A notice about a weak document password also says that it was saved.
    notice: noticeText(visit) ?? documentPasswordResult(request, t) ?? changed,
    news: typeof activity === "object" ? await newsToShow(visit, activity, profile) : undefined,
    hasChangedFactors: changed !== undefined,
    showsAllActivity,
    open:
      visit.takeNotice()?.opens ?? (changed && FACTORS_ID) ?? (showsAllActivity ? ACTIVITY_ID : undefined),
  };
}

/** Makes the calls in parallel; one after the other would keep customers waiting. */
async function load(visit: Visit) {
  const [profile, sessions, activity, factors] = await Promise.all([
    visit.backend.call("profile", {}),
    visit.backend.call("sessions", {}),
    visit.backend.call("activity", {}),
    visit.backend.call("factors", {}),
  ]);
  return {
    profile: await valueToShow(visit, profile),
    sessions: await valueIfOffered(visit, sessions),
    activity: await valueIfOffered(visit, activity),
    factors: await valueIfOffered(visit, factors),
  };
}

/** Removes devices and ends sessions. Every other change starts on its own screen. */
export async function action(args: ActionFunctionArgs) {
  const { visit, customer } = await signedIn(args);
  const form = openForm(await visit.posted(), buttonsOnlyForm);
  if (form.intent === NEWS_SEEN.intent) {
    // A form of an earlier release lacks the time of its newest event.
    await rememberAnswer(visit, customer.username, Number(form.posted(NEWS_SEEN.newest)) || Date.now());
    return visit.redirectTo(form.posted(NEWS_SEEN.field) === POLICIES ? POLICIES : PROFILE);
  }
  if (form.intent === NOT_NOW) {
    await offerNoPasskey(visit);
    return visit.redirectTo(POLICIES);
  }
  const { answer, notice, goneNotice } = await changeProfile(visit, form);
  if (goneNotice && answer.kind === "not-found") {
    await visit.leaveNotice(goneNotice);
    return visit.redirectTo(PROFILE);
  }
  const outcome = await visit.redirectOnFailure(answer);
  if (outcome.kind !== "done") return form.refuse(visit.t, outcome, { isSignedIn: true });
  await visit.leaveNotice(notice);
  return visit.redirectTo(PROFILE);
}

/**
 * "/cp/profile receives a query parameter document-password-save-result" (specification §2); only the two modes count.
 */
function documentPasswordResult(request: Request, t: Translate): NoticeText | undefined {
  const result = new URL(request.url).searchParams.get("document-password-save-result");
  if (result !== "create" && result !== "change") return undefined;
  return { kind: "success", text: t(`cp:result.${result}`) };
}

const FACTOR_RESULTS = ["added", "removed", "recovery", "sms"] as const;

/** The result of a change of second factors, from the parameter `factor-save-result` (docs/screens.md). */
function factorResult(request: Request, t: Translate, isSmsOn: boolean): NoticeText | undefined {
  const result = new URL(request.url).searchParams.get("factor-save-result");
  const known = FACTOR_RESULTS.find((name) => name === result);
  const said = known === "sms" && !isSmsOn ? "smsOff" : known;
  return said && { kind: "success", text: t(`factors:result.${said}`) };
}

export default function Profile() {
  const t = useTexts();
  const { notice, news, profile, sessions, activity, factors, hasChangedFactors, showsAllActivity } =
    useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  return (
    <CustomerPage>
      <FormErrorDialog refused={refused} here={PROFILE} />
      <PageHeading header={t("cp:profile.header")}>{profile.name}</PageHeading>
      <LastSignIn lastSignIn={profile.lastSignIn} />
      {refused?.alert ? (
        <div className="mt-4">
          <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
        </div>
      ) : (
        <NoticeBox notice={notice} />
      )}
      {hasChangedFactors && !refused && isElsewhere(sessions) && <EndOthers />}
      {typeof factors === "object" && <KnownPasskeys {...factors} />}
      {typeof factors === "object" && hasUnsavedCode(factors) && <UnsavedCode />}
      {news && <SignInNews news={news} here={PROFILE} />}
      <ProfileAccess profile={profile} />
      <FoldedParts>
        <Part
          id={FACTORS_ID}
          header={t("factors:list.header")}
          list={factors}
          sum={(list) => sumOfFactors(t, list)}
        >
          {(list) => <ProfileFactors list={list} phone={profile.phone} />}
        </Part>
        {environment().TRUSTED_DEVICES === "on" && (
          <Part
            id={DEVICES_ID}
            header={t("cp:profile.devices")}
            list={profile}
            sum={({ trustedDevices }) => countOfDevices(t, trustedDevices)}
          >
            {(list) => <TrustedDevices {...list} />}
          </Part>
        )}
        <Part
          id={SESSIONS_ID}
          header={t("cp:profile.sessions")}
          list={sessions}
          sum={(list) => countOfDevices(t, list.sessions)}
        >
          {(list) => <Sessions {...list} />}
        </Part>
        <Part
          id={ACTIVITY_ID}
          header={t("cp:profile.activity")}
          list={activity}
          sum={({ events: [newest] }) =>
            newest && t("cp:profile.sum.activity", { moment: nearMoment(t, newest.at) })
          }
        >
          {(list) => <ProfileActivity {...list} all={showsAllActivity} />}
        </Part>
      </FoldedParts>
    </CustomerPage>
  );
}

function LastSignIn({ lastSignIn }: Pick<CallResponse<"profile">, "lastSignIn">) {
  const t = useTexts();
  if (!lastSignIn) return null;
  const { at, deviceName } = lastSignIn;
  const facts = { moment: nearMoment(t, at), device: readableDeviceName(t, deviceName) };
  return <p className="mt-1 break-words text-muted">{t("cp:profile.lastSignIn", facts)}</p>;
}

/** Whether another session is open. */
function isElsewhere(list: Offered<CallResponse<"sessions">>): boolean {
  return typeof list === "object" && list.sessions.some(({ current }) => !current);
}

/** After a change: the sessions that were open before it can be ended at once. */
function EndOthers() {
  const t = useTexts();
  return (
    <Form method="post" action={PROFILE}>
      <LinkButton type="submit" name="intent" value="end-other-sessions">
        {t("factors:result.endOthers")}
      </LinkButton>
    </Form>
  );
}

/** A part that unfolds, with a summary of its content. It is missing if the backend doesn't offer its list. */
function Part<List extends object>({
  id,
  header,
  list,
  sum,
  children,
}: {
  readonly id: string;
  readonly header: string;
  readonly list: Offered<List>;
  readonly sum: (list: List) => string | undefined;
  readonly children: (list: List) => ReactNode;
}) {
  const t = useTexts();
  const { open } = useLoaderData<typeof loader>();
  if (list === undefined) return null;
  const isAvailable = list !== "unavailable";
  return (
    <FoldedPart id={id} header={header} sum={isAvailable ? sum(list) : undefined} open={open === id}>
      {isAvailable ? children(list) : <p>{t("cp:profile.unavailable")}</p>}
    </FoldedPart>
  );
}
