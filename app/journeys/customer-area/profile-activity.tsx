import type { CallResponse } from "~/contract/calls.server";
import { type ActivityEvent, detailOf } from "~/contract/customer-area.server";
import type { Translate } from "~/i18n/texts.server";
import { clockTimeInPoland, momentInPoland } from "~/i18n/times.server";
import { useTexts } from "~/i18n/use-texts";
import { isoDayInPoland } from "~/platform/time.server";
import { Triangle } from "~/ui/icons";
import { PhoneLinks } from "~/ui/phone";
import { PlainLink, TextLink } from "~/ui/text-link";
import { readableDeviceName } from "~/visit/browser.server";
import { activityAddress, NOT_ME } from "./addresses";
import { MOST_ROWS } from "./profile-devices";

/** Refused tries, which others can cause. They are marked, so that customers look twice. */
export const REFUSALS: ReadonlySet<ActivityEvent> = new Set(["sign-in-refused", "locked", "factor-guessed"]);
/** The number of events shown at first. */
const FIRST_EVENTS = 10;
const DAY_MS = 24 * 60 * 60 * 1000;

/** A moment, relative to today if it is recent: "dziś 4:09", "wczoraj 18:05". */
export function nearMoment(t: Translate, iso: string): string {
  const time = clockTimeInPoland(t, Date.parse(iso));
  switch (isoDayInPoland(Date.parse(iso))) {
    case isoDayInPoland(Date.now()):
      return t("cp:profile.today", { time });
    case isoDayInPoland(Date.now() - DAY_MS):
      return t("cp:profile.yesterday", { time });
    default:
      return momentInPoland(t, iso);
  }
}

type Event = CallResponse<"activity">["events"][number];
/** An event that this release knows. */
export type KnownEvent = Event & { readonly event: ActivityEvent };

/** The account's recent activity, newest first: the newest events or all of them, and a link to the other list. */
export function ProfileActivity({ events, all }: CallResponse<"activity"> & { readonly all: boolean }) {
  const t = useTexts();
  const known = events.filter((event): event is KnownEvent => event.event !== undefined).slice(0, MOST_ROWS);
  const shown = all ? known : known.slice(0, FIRST_EVENTS);
  return (
    <>
      <p className="max-w-line">
        <PhoneLinks text={t("cp:profile.activityText")} />
      </p>
      {shown.length === 0 ? (
        <p className="mt-4 font-semibold">{t("cp:profile.activityNone")}</p>
      ) : (
        <ul className="mt-2 divide-y divide-line">
          {shown.map((event, nth) => (
            <EventRow key={nth} {...event} />
          ))}
        </ul>
      )}
      {known.length > FIRST_EVENTS && (
        <p className="-mb-2">
          <PlainLink href={activityAddress(!all)}>
            {all ? t("cp:profile.activityFewer") : t("cp:profile.activityAll", { number: known.length })}
          </PlainLink>
        </p>
      )}
    </>
  );
}

/** An event as text. */
export function eventText(t: Translate, { event, detail: sent, way }: KnownEvent): string {
  if (event === "signed-in" && way) return t(`cp:profile.signedIn.${way}`);
  const detail = detailOf(event, sent);
  return detail ? t(`cp:profile.eventOf.${detail}`) : t(`cp:profile.event.${event}`);
}

function EventRow(shown: KnownEvent) {
  const t = useTexts();
  const { at, event, deviceName } = shown;
  const text = eventText(t, shown);
  const moment = momentInPoland(t, at);
  return (
    <li className="flex items-center py-2 tight:block">
      <div className="min-w-0 flex-1 pr-4 md:flex md:items-center">
        <p className="flex min-w-0 font-semibold md:w-1/3 md:flex-none md:pr-4">
          {REFUSALS.has(event) && <Triangle className="mr-2 h-6 w-6 flex-none text-accent-text" />}
          <span className="min-w-0">{text}</span>
        </p>
        <p className="min-w-0 break-words text-sm leading-6 md:flex-1 md:pr-4">
          {deviceName.trim() === ""
            ? t("cp:profile.activityDeviceUnknown")
            : t("cp:profile.activityDevice", { device: readableDeviceName(t, deviceName) })}
        </p>
        <p className="text-sm leading-6 text-muted md:flex-none">{moment}</p>
      </div>
      <p className="flex-none text-sm leading-6">
        <TextLink to={NOT_ME}>
          {t("cp:profile.notMe")} <span className="sr-only">{`(${text}, ${moment})`}</span>
        </TextLink>
      </p>
    </li>
  );
}
