import type { CallResponse } from "~/contract/calls.server";
import { type Translate, words } from "~/i18n/texts.server";
import { readableDeviceName } from "~/visit/browser.server";
import type { Visit } from "~/visit/visit.server";
import { activityAddress } from "./profile-address";
import { nearMoment, REFUSALS } from "./profile-words.server";

/** Loads the news for the first page after the sign-in; undefined if they can't be loaded now. */
export async function loadSignInNews({ backend, t }: Visit) {
  const [profile, activity] = await Promise.all([backend.call("profile", {}), backend.call("activity", {})]);
  if (profile.kind !== "done" || activity.kind !== "done") return undefined;
  return signInNews(t, activity.value, profile.value);
}

type Event = CallResponse<"activity">["events"][number];

/** The most devices that are named; the activity lists all of them. */
const MOST_DEVICES = 3;

/**
 * New devices and refused tries since the sign-in before this one (contract: customer area, My Data); undefined if there
 * were none, or if the backend doesn't say when that sign-in was.
 */
export function signInNews(
  t: Translate,
  { events }: CallResponse<"activity">,
  { lastSignIn }: CallResponse<"profile">,
) {
  if (!lastSignIn) return undefined;
  const since = Date.parse(lastSignIn.at);
  const between = beforeThisSignIn(events, since);
  const devices = between.filter(({ event }) => event === "device-trusted").slice(0, MOST_DEVICES);
  const refusals = between.filter(({ event }) => event !== undefined && REFUSALS.has(event));
  if (devices.length + refusals.length === 0) return undefined;
  return {
    ...words(t, { notMe: "cp:news.notMe", activity: "cp:news.activity" }),
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

/** The events from the previous sign-in to the one of this session, whose own events are no news. */
function beforeThisSignIn(events: readonly Event[], since: number): readonly Event[] {
  const later = events
    .filter(({ event }) => event === "signed-in")
    .map(({ at }) => Date.parse(at))
    .filter((at) => at > since);
  const until = Math.min(...later);
  return events.filter(({ at }) => Date.parse(at) >= since && Date.parse(at) < until);
}
