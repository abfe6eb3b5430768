import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { openForm } from "~/forms/open-form.server";
import type { Translate } from "~/i18n/texts.server";
import { customerTitle } from "~/shell/titles";
import { FoldedPart, FoldedParts } from "~/ui/disclosure";
import { CustomerPage, PageHeading, Section } from "~/ui/page-layout";
import { ErrorSummary } from "~/ui/error-summary";
import { signedIn } from "~/visit/gate.server";
import { type Visit, ifThere, valueIfOffered, valueToShow } from "~/visit/visit.server";
import { documentPasswordPath } from "../kit/addresses";
import { FormErrorDialog } from "../kit/form-messages";
import { buttonsOnlyForm } from "../kit/forms";
import { maskedNumber } from "../kit/code-words";
import { NoticeBox } from "../kit/notice-box";
import { type NoticeText, noticeText } from "../kit/notice";
import { ProfileActivity } from "./profile-activity";
import {
  ACTIVITY_ID,
  DEVICES_ID,
  FACTORS_ID,
  POLICIES,
  PROFILE,
  SESSIONS_ID,
  asksForAllActivity,
} from "./profile-address";
import { changeProfile } from "./profile-changes";
import { DeviceList, type DeviceRows } from "./profile-devices";
import { EndOthers, ProfileFactors } from "./profile-factors";
import { ActionRow, PhoneRow } from "./profile-parts";
import { NEWS_SEEN, SignInNews } from "./sign-in-news";
import { newsToShow, putNewsAway } from "./sign-in-news.server";
import { UnsavedCode } from "./unsaved-code";
import { unsavedCode } from "./unsaved-code.server";
import {
  activityWords,
  factorSection,
  lastEvents,
  newPhoneOf,
  lastSignInOf,
  profileWords,
  sessionRows,
  sumsOf,
  trustedDevices,
} from "./profile-words";

export async function loader(args: LoaderFunctionArgs) {
  const { visit } = await signedIn(args);
  const { profile, sessions, activity, factors } = await load(visit);
  const { t } = visit;
  const changed = factorResult(visit.request, t, typeof factors === "object" && factors.sms);
  return {
    title: customerTitle(t, t("cp:profile.title")),
    // A notice about a weak document password also says that it was saved.
    notice: noticeText(visit) ?? documentPasswordResult(visit.request, t) ?? changed,
    open: visit.takeNotice()?.opens ?? (changed ? FACTORS_ID : askedPart(visit.request)),
    news: ifThere(activity, (value) => newsToShow(visit, value, profile)),
    unsavedCode: ifThere(factors, (list) => unsavedCode(t, list)),
    endOthers: changed && typeof sessions === "object" ? t("factors:result.endOthers") : undefined,
    factors: ifThere(factors, (list) => factorSection(t, list, profile.phone)),
    customer: profile.name,
    lastSignIn: lastSignInOf(t, profile),
    username: profile.username,
    documentPassword: {
      state: t(profile.documentPassword ? "cp:profile.docPasswordSet" : "cp:profile.docPasswordNone"),
      action: t(profile.documentPassword ? "cp:profile.change" : "cp:profile.create"),
      href: documentPasswordPath(profile.documentPassword ? "change" : "create"),
    },
    phone: profile.phone === undefined ? undefined : maskedNumber(t, profile.phone),
    newPhone: newPhoneOf(t, profile),
    devices: trustedDevices(t, profile),
    sessions: ifThere(sessions, (value) => sessionRows(t, value)),
    activity: ifThere(activity, (value) => lastEvents(t, value, asksForAllActivity(visit.request))),
    sums: sumsOf(t, { profile, sessions, activity, factors }),
    words: profileWords(t),
    activityWords: activityWords(t),
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
  const { visit } = await signedIn(args);
  const form = openForm(await visit.posted(), buttonsOnlyForm);
  if (form.intent === NEWS_SEEN.intent) {
    await putNewsAway(visit);
    return visit.redirectTo(form.posted(NEWS_SEEN.field) === POLICIES ? POLICIES : PROFILE);
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

/** All activity has its own address, and is shown open. */
function askedPart(request: Request): string | undefined {
  return asksForAllActivity(request) ? ACTIVITY_ID : undefined;
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
  const { words, activityWords, notice, customer, lastSignIn, sessions, activity, ...rest } =
    useLoaderData<typeof loader>();
  const { factors, endOthers, news, unsavedCode, sums, open } = rest;
  const refused = useActionData<typeof action>();
  return (
    <CustomerPage>
      <FormErrorDialog refused={refused} here={PROFILE} />
      <PageHeading header={words.header}>{customer}</PageHeading>
      {lastSignIn !== undefined && <p className="mt-1 break-words text-muted">{lastSignIn}</p>}
      {refused?.alert ? (
        <div className="mt-4">
          <ErrorSummary id="errors" title={refused.alert.title} items={[]} />
        </div>
      ) : (
        <NoticeBox notice={notice} />
      )}
      {endOthers !== undefined && !refused && <EndOthers here={PROFILE} text={endOthers} />}
      {typeof unsavedCode === "object" && <UnsavedCode {...unsavedCode} />}
      {typeof news === "object" && <SignInNews {...news} here={PROFILE} />}
      <AccessSection />
      <FoldedParts>
        {factors && (
          <FoldedPart id={FACTORS_ID} header={words.factors} sum={sums.factors} open={open === FACTORS_ID}>
            {factors === "unavailable" ? <p>{words.unavailable}</p> : <ProfileFactors {...factors} />}
          </FoldedPart>
        )}
        <FoldedPart id={DEVICES_ID} header={words.devices} sum={sums.devices} open={open === DEVICES_ID}>
          <Devices />
        </FoldedPart>
        {sessions && (
          <FoldedPart
            id={SESSIONS_ID}
            header={words.sessions}
            sum={sums.sessions}
            open={open === SESSIONS_ID}
          >
            {sessions === "unavailable" ? <p>{words.unavailable}</p> : <Sessions rows={sessions} />}
          </FoldedPart>
        )}
        {activity && (
          <FoldedPart
            id={ACTIVITY_ID}
            header={activityWords.header}
            sum={sums.activity}
            open={open === ACTIVITY_ID}
          >
            {activity === "unavailable" ? (
              <p>{words.unavailable}</p>
            ) : (
              <ProfileActivity {...activity} words={activityWords} />
            )}
          </FoldedPart>
        )}
      </FoldedParts>
    </CustomerPage>
  );
}

function Devices() {
  const { words, devices } = useLoaderData<typeof loader>();
  return (
    <>
      <p className="max-w-line">{words.devicesText}</p>
      {devices.open.length === 0 ? (
        <p className="mt-4 font-semibold">{words.devicesNone}</p>
      ) : (
        <DeviceList
          rows={devices}
          here={PROFILE}
          thisDevice={words.thisDevice}
          buttons={{
            field: "device",
            one: { intent: "revoke", text: words.remove },
            all: { intent: "revoke-all", text: words.removeAll },
            forThis: true,
          }}
        />
      )}
    </>
  );
}

function Sessions({ rows }: { readonly rows: DeviceRows }) {
  const { words } = useLoaderData<typeof loader>();
  return (
    <>
      <p className="max-w-line">{words.sessionsText}</p>
      <DeviceList
        rows={rows}
        here={PROFILE}
        thisDevice={words.thisDevice}
        buttons={{
          field: "session",
          one: { intent: "end-session", text: words.endSession },
          all: hasOthers(rows) ? { intent: "end-other-sessions", text: words.endOthers } : undefined,
          forThis: false,
        }}
      />
    </>
  );
}

function hasOthers({ open }: DeviceRows): boolean {
  return open.some(({ isThis }) => !isThis);
}

function AccessSection() {
  const { words, username, documentPassword, phone, newPhone } = useLoaderData<typeof loader>();
  return (
    <Section header={words.access}>
      <dl className="-mb-3 divide-y divide-line">
        <ActionRow
          term={words.username}
          value={username}
          action="/home/change-login"
          button={words.change}
          of={words.ofUsername}
        />
        <ActionRow
          term={words.password}
          value="••••••••••••"
          action="/home/change-password"
          button={words.change}
          of={words.ofPassword}
        />
        <ActionRow
          term={words.documentPassword}
          value={documentPassword.state}
          action={documentPassword.href}
          button={documentPassword.action}
          of={words.ofDocumentPassword}
        />
        {phone && (
          <PhoneRow
            term={words.phone}
            phone={phone}
            waiting={newPhone}
            notMe={words.notMe}
            ask={words.phoneAsk}
            changed={words.phoneChanged}
          />
        )}
      </dl>
    </Section>
  );
}
