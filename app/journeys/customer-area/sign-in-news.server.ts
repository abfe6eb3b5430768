import type { CallResponse } from "~/contract/calls.server";
import { type Translate, words } from "~/i18n/texts.server";
import { MINUTE, SECOND } from "~/platform/time.server";
import { readableDeviceName, readCookie } from "~/visit/browser.server";
import type { Visit } from "~/visit/visit.server";
import { activityAddress } from "./profile-address";
import { nearMoment, REFUSALS } from "./profile-words";

/** Loads the news for the first page after the sign-in; undefined if they can't be loaded now. */
export async function loadSignInNews(visit: Visit) {
  const { backend } = visit;
  const [profile, activity] = await Promise.all([backend.call("profile", {}), backend.call("activity", {})]);
  if (profile.kind !== "done" || activity.kind !== "done") return undefined;
  return newsToShow(visit, activity.value, profile.value);
}

/** The news, unless the customer has dealt with them. */
export function newsToShow(
  { request, t }: Visit,
  activity: CallResponse<"activity">,
  profile: CallResponse<"profile">,
) {
  const isDealtWith = readCookie(request, "news") === newsId(profile);
  return isDealtWith ? undefined : signInNews(t, activity, profile);
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
  t: Translate,
  { events }: CallResponse<"activity">,
  profile: CallResponse<"profile">,
) {
  const { lastSignIn } = profile;
  if (!lastSignIn) return undefined;
  const { between, until } = beforeThisSignIn(events, Date.parse(lastSignIn.at));
  const devices = between
    .filter((event) => event.event === "device-trusted" && !isThisDevice(event, profile))
    .slice(0, MOST_DEVICES);
  const refusals = between.filter(
    (event) => event.event !== undefined && REFUSALS.has(event.event) && !isOwnSlip(event, until),
  );
  if (devices.length + refusals.length === 0) return undefined;
  return {
    ...words(t, { notMe: "cp:news.notMe", me: "cp:news.me", activity: "cp:news.activity" }),
    activityHref: activityAddress(true),
    header: t("cp:news.header", { moment: nearMoment(t, lastSignIn.at) }),
    lines: [
      ...devices.map(({ at, deviceName }) =>
        t("cp:news.device", { device: readableDeviceName(t, deviceName), moment: nearMoment(t, at) }),
      ),
      ...(refusals[0] ? [refusalsLine(t, refusals, refusals[0])] : []),
    ],
  };
}

function refusalsLine(t: Translate, refusals: readonly Event[], { at }: Event): string {
  return t("cp:news.refused", { count: refusals.length, moment: nearMoment(t, at) });
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
