import { Form } from "react-router-dom";
import type { CallResponse } from "~/contract/calls.server";
import { useTexts } from "~/i18n/use-texts";
import { MINUTE, SECOND } from "~/platform/time.server";
import { Button, ButtonLink } from "~/ui/button";
import { Triangle } from "~/ui/icons";
import { PlainLink } from "~/ui/text-link";
import { readableDeviceName, readCookie } from "~/visit/browser.server";
import type { Visit } from "~/visit/visit.server";
import { activityAddress, NOT_ME, PROFILE } from "./addresses";
import { nearMoment, REFUSALS } from "./profile-activity";

/** The button that puts the news away, and the field that says where they were shown. */
export const NEWS_SEEN = { intent: "news-seen", field: "shownOn" } as const;

/** Loads the news for the first page after the sign-in; undefined if they can't be loaded now. */
export async function loadSignInNews(visit: Visit): Promise<News | undefined> {
  const { backend } = visit;
  const [profile, activity] = await Promise.all([backend.call("profile", {}), backend.call("activity", {})]);
  if (profile.kind !== "done" || activity.kind !== "done") return undefined;
  return newsToShow(visit, activity.value, profile.value);
}

/** The news, unless the customer has dealt with them. */
export function newsToShow(
  { request }: Visit,
  activity: CallResponse<"activity">,
  profile: CallResponse<"profile">,
): News | undefined {
  const isDealtWith = readCookie(request, "news") === newsId(profile);
  return isDealtWith ? undefined : signInNews(activity, profile);
}

/** Puts the news of this session away, for good. */
export async function putNewsAway(visit: Visit): Promise<void> {
  const profile = await visit.backend.call("profile", {});
  if (profile.kind === "done") visit.setCookie("news", newsId(profile.value));
}

/** The sign-in that they count from. A later session counts from a later one. */
function newsId({ lastSignIn }: CallResponse<"profile">): string | undefined {
  return lastSignIn && String(Date.parse(lastSignIn.at));
}

type Event = CallResponse<"activity">["events"][number];

/** New devices and refused tries, newest first. `since`: the sign-in before this one. */
interface News {
  readonly since: string;
  readonly devices: readonly Event[];
  readonly refusals: readonly Event[];
}

/** The most devices that are named; the activity lists all of them. */
const MOST_DEVICES = 3;
/** A refused try on this device so shortly before the sign-in is a slip of the customer's own (ms). */
const OWN_SLIP_MS = 15 * MINUTE;
/** The event and the device that it is about are written at about the same time (ms). */
const SAME_MOMENT_MS = SECOND;

/**
 * New devices and refused tries since the sign-in before this one (contract: customer area, My Data), except for this
 * device and for slips on it just before the sign-in; undefined if there were none, or if the backend doesn't say when
 * that sign-in was.
 */
export function signInNews(
  { events }: CallResponse<"activity">,
  profile: CallResponse<"profile">,
): News | undefined {
  const { lastSignIn } = profile;
  if (!lastSignIn) return undefined;
  const { between, until } = beforeThisSignIn(events, Date.parse(lastSignIn.at));
  const devices = between.filter(
    (event) => event.event === "device-trusted" && !isThisDevice(event, profile),
  );
  const refusals = between.filter(
    (event) => event.event !== undefined && REFUSALS.has(event.event) && !isOwnSlip(event, until),
  );
  if (devices.length + refusals.length === 0) return undefined;
  return { since: lastSignIn.at, devices, refusals };
}

/** Whether the event is about the trusted device that the customer is using now. */
function isThisDevice(
  { at, deviceName }: Event,
  { trustedDevices, thisDevice }: CallResponse<"profile">,
): boolean {
  const own = trustedDevices.find(({ id }) => id === thisDevice);
  if (own?.deviceName !== deviceName) return false;
  return Math.abs(Date.parse(own.trustedAt) - Date.parse(at)) < SAME_MOMENT_MS;
}

/** @param signedInAt when this session was opened (ms since 1970) */
function isOwnSlip({ at, event, sameDevice }: Event, signedInAt: number): boolean {
  return event === "sign-in-refused" && sameDevice === true && signedInAt - Date.parse(at) < OWN_SLIP_MS;
}

/** The events from the previous sign-in to the one of this session, whose own events are no news. */
function beforeThisSignIn(events: readonly Event[], since: number) {
  const later = events
    .filter(({ event }) => event === "signed-in")
    .map(({ at }) => Date.parse(at))
    .filter((at) => at > since);
  const until = Math.min(...later);
  const between = events.filter(({ at }) => Date.parse(at) >= since && Date.parse(at) < until);
  return { between, until };
}

/**
 * New devices and refused tries since the last sign-in: a link for customers who don't recognise them, and a button for
 * those who do.
 * @param here the address of the page that shows them
 */
export function SignInNews({ news, here }: { readonly news: News; readonly here: string }) {
  const t = useTexts();
  const { since, devices, refusals } = news;
  return (
    <section className="mt-6 flex rounded-card border border-accent bg-accent-tint p-5 sm:p-6 tight:block tight:p-2">
      <Triangle className="mr-3 mt-0.5 h-6 w-6 flex-none text-accent-text" />
      <div className="min-w-0 flex-1">
        <h2 className="text-lg">{t("cp:news.header", { moment: nearMoment(t, since) })}</h2>
        <ul className="mt-2 space-y-1">
          {devices.slice(0, MOST_DEVICES).map(({ at, deviceName }, nth) => (
            <li key={nth}>
              {t("cp:news.device", { device: readableDeviceName(t, deviceName), moment: nearMoment(t, at) })}
            </li>
          ))}
          {refusals[0] && (
            <li>{t("cp:news.refused", { count: refusals.length, moment: nearMoment(t, refusals[0].at) })}</li>
          )}
        </ul>
        <div className="mt-3 sm:flex sm:items-center">
          <Form method="post" action={PROFILE} className="flex items-center">
            <input type="hidden" name={NEWS_SEEN.field} value={here} />
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
