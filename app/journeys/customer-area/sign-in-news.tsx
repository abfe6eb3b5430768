import { Form } from "react-router-dom";
import { z } from "zod";
import type { CallResponse } from "~/contract/calls.server";
import type { ActivityEvent } from "~/contract/customer-area.server";
import type { Translate } from "~/i18n/texts.server";
import { useTexts } from "~/i18n/use-texts";
import { environment } from "~/platform/config/environment.server";
import { openPayload, type SealedFor, sealPayload } from "~/platform/sealing.server";
import { MINUTE, SECOND } from "~/platform/time.server";
import { Button, ButtonLink } from "~/ui/button";
import { Triangle } from "~/ui/icons";
import { PlainLink } from "~/ui/text-link";
import { readableDeviceName, readCookie } from "~/visit/browser.server";
import { sessionSecrets } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";
import { activityAddress, NOT_ME, PROFILE } from "./addresses";
import { eventText, type KnownEvent, nearMoment, REFUSALS } from "./profile-activity";

/** The button that dismisses the news, and the fields that say where they were shown and how new they were. */
export const NEWS_SEEN = { intent: "news-seen", field: "shownOn", newest: "newest" } as const;

/** Loads the news for My Policies; undefined if there are none, or they can't be loaded now. */
export async function loadSignInNews(visit: Visit, username: string): Promise<News | undefined> {
  const activity = await visit.backend.call("activity", {});
  if (activity.kind !== "done") return undefined;
  const answered = (await answers(visit)).get(username) ?? 0;
  // Most customers have none, which the activity alone can say.
  if (!activity.value.events.some(({ at, here }) => here !== true && Date.parse(at) > answered))
    return undefined;
  const profile = await visit.backend.call("profile", {});
  return profile.kind === "done" ? newsToShow(visit, activity.value, profile.value) : undefined;
}

/** The news that this browser hasn't answered yet. It remembers them, so that another sign-in doesn't hide them. */
export async function newsToShow(
  visit: Visit,
  activity: CallResponse<"activity">,
  profile: CallResponse<"profile">,
): Promise<News | undefined> {
  const answered = (await answers(visit)).get(profile.username);
  const news = signInNews(activity, profile, answered);
  if (news && answered !== news.oldest - 1) await rememberAnswer(visit, profile.username, news.oldest - 1);
  return news;
}

/** Remembers in this browser up to which moment (ms) the news of an account are answered. */
export async function rememberAnswer(visit: Visit, username: string, until: number): Promise<void> {
  const others = [...(await answers(visit))].filter(([name]) => name !== username);
  const entries = [[username, until] as const, ...others].slice(0, MOST_ACCOUNTS);
  const expiry = Date.now() + environment().limits.NEWS_SEEN_SECONDS * SECOND;
  visit.setCookie("news", await sealPayload(answersCookie(visit), { entries }, expiry));
}

/** The most accounts whose answers a browser remembers. */
const MOST_ACCOUNTS = 4;
const remembered = z.array(z.tuple([z.string(), z.number()]));

/** Up to which moment (ms) the news of each account are answered in this browser, by username. */
async function answers(visit: Visit): Promise<ReadonlyMap<string, number>> {
  const sealed = readCookie(visit.request, "news");
  const kept = sealed && (await openPayload(answersCookie(visit), sealed, Date.now()));
  return new Map(remembered.safeParse(kept && kept["entries"]).data);
}

function answersCookie({ backend }: Visit): SealedFor {
  return { use: "news cookie", secrets: sessionSecrets(), of: backend.browser() };
}

type Event = CallResponse<"activity">["events"][number];

/** What others did with the account, newest first: acts and refused tries. */
interface News {
  readonly acts: readonly KnownEvent[];
  readonly refusals: readonly KnownEvent[];
  /** When the first and the last of them happened (ms since 1970). */
  readonly oldest: number;
  readonly newest: number;
}

/** The acts that are news. A stranger must do one of them first. */
const ACTS: ReadonlySet<ActivityEvent> = new Set([
  "signed-in",
  "device-trusted",
  "factor-added",
  "factor-removed",
  "recovery-code-new",
  "sms-at-sign-in",
  "password-changed",
  "password-reset",
  "document-password-changed",
]);
/** The most acts that are named; the activity lists all of them. */
const MOST_ACTS = 5;
/** A refused try in this browser so shortly before a sign-in is a slip of the customer's own (ms). */
const OWN_SLIP_MS = 15 * MINUTE;
/** The event and the device that it is about are written at about the same time (ms). */
const SAME_MOMENT_MS = SECOND;

/**
 * What others did with the account since this browser's last sign-in to it (contract: customer area, News); since the
 * account's last one, itself included, if this browser has none. Undefined if there was nothing, or if the backend
 * doesn't say when that was. If it doesn't say who `here` is: new devices and refused tries up to this session.
 * @param answered up to which moment (ms) the customer has dealt with them
 */
export function signInNews(
  { events }: CallResponse<"activity">,
  profile: CallResponse<"profile">,
  answered?: number,
): News | undefined {
  const { at: since } = profile.lastSignInHere ?? profile.lastSignIn ?? {};
  if (since === undefined) return undefined;
  const from = answered ?? Date.parse(since) - 1;
  const known = events.filter((event): event is KnownEvent => event.event !== undefined);
  const signIns = known.filter(({ event }) => event === "signed-in");
  const thisSession = Math.min(...signIns.map(momentOf).filter((moment) => moment > Date.parse(since)));
  const isOwn = (signIn: KnownEvent) =>
    signIn.here ?? (signIn.sameDevice === true || momentOf(signIn) === thisSession);
  const own = signIns.filter(isOwn).map(momentOf);
  const others = known.filter((event) => {
    const moment = momentOf(event);
    if (moment <= from || (event.here === undefined && moment >= thisSession)) return false;
    if (REFUSALS.has(event.event)) return !isOwnSlip(event, own);
    if (event.here === undefined) return event.event === "device-trusted" && !isThisDevice(event, profile);
    // In a browser that has lost its cookies, the account's last sign-in may have been its own.
    const isLost =
      !profile.lastSignInHere &&
      event.sameDevice === true &&
      Math.abs(moment - Date.parse(since)) < SAME_MOMENT_MS;
    return ACTS.has(event.event) && !event.here && !isLost && !isThisDevice(event, profile);
  });
  if (others.length === 0) return undefined;
  const moments = others.map(momentOf);
  return {
    acts: others.filter(({ event }) => !REFUSALS.has(event)),
    refusals: others.filter(({ event }) => REFUSALS.has(event)),
    oldest: Math.min(...moments),
    newest: Math.max(...moments),
  };
}

function momentOf({ at }: Event): number {
  return Date.parse(at);
}

/** Whether the event is about the trusted device that the customer is using now. */
function isThisDevice(
  { at, event, deviceName }: Event,
  { trustedDevices, thisDevice }: CallResponse<"profile">,
): boolean {
  const own = trustedDevices.find(({ id }) => id === thisDevice);
  if (event !== "device-trusted" || own?.deviceName !== deviceName) return false;
  return Math.abs(Date.parse(own.trustedAt) - Date.parse(at)) < SAME_MOMENT_MS;
}

/** @param signIns the moments (ms) at which this browser signed in */
function isOwnSlip({ at, event, here, sameDevice }: Event, signIns: readonly number[]): boolean {
  if (event !== "sign-in-refused" || (here ?? sameDevice) !== true) return false;
  return signIns.some((moment) => moment >= Date.parse(at) && moment - Date.parse(at) < OWN_SLIP_MS);
}

/**
 * What others did with the account: a link for customers who don't recognise it, and a button for those who do.
 * @param here the address of the page that shows them
 */
export function SignInNews({ news, here }: { readonly news: News; readonly here: string }) {
  const t = useTexts();
  const { acts, refusals, newest } = news;
  return (
    <section className="mt-6 flex rounded-card border border-accent bg-accent-tint p-5 sm:p-6 tight:block tight:p-2">
      <Triangle className="mr-3 mt-0.5 h-6 w-6 flex-none text-accent-text" />
      <div className="min-w-0 flex-1">
        <h2 className="text-lg">{t("cp:news.header")}</h2>
        <ul className="mt-2 space-y-1 break-words">
          {acts.slice(0, MOST_ACTS).map((act, nth) => (
            <li key={nth}>{actText(t, act)}</li>
          ))}
          {acts.length > MOST_ACTS && <li>{t("cp:news.earlier", { number: acts.length - MOST_ACTS })}</li>}
          {refusals[0] && (
            <li>{t("cp:news.refused", { count: refusals.length, moment: nearMoment(t, refusals[0].at) })}</li>
          )}
        </ul>
        <div className="mt-3 sm:flex sm:flex-wrap sm:items-center">
          <Form method="post" action={PROFILE} className="flex items-center">
            <input type="hidden" name={NEWS_SEEN.field} value={here} />
            <input type="hidden" name={NEWS_SEEN.newest} value={newest} />
            <ButtonLink to={NOT_ME} variant="secondary" wide={false}>
              {t("cp:news.notMe")}
            </ButtonLink>{" "}
            <span className="mr-3" />
            <Button type="submit" name="intent" value={NEWS_SEEN.intent} variant="secondary" wide={false}>
              {t("cp:news.me")}
            </Button>
          </Form>
          <p className="sm:ml-5">
            <PlainLink href={activityAddress(true)}>{t("cp:news.activity")}</PlainLink>
          </p>
        </div>
      </div>
    </section>
  );
}

function actText(t: Translate, act: KnownEvent): string {
  const facts = { event: eventText(t, act), moment: nearMoment(t, act.at) };
  // Staff have no device of the customer.
  if (act.deviceName.trim() === "") return t("cp:news.actOfStaff", facts);
  return t("cp:news.act", { ...facts, device: readableDeviceName(t, act.deviceName) });
}
