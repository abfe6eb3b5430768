import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import ical, { ICalAlarmType, ICalEventTransparency } from "ical-generator";
import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import { DAY, daysBetween, HOUR, isoDayInPoland, readMomentInPoland, SECOND } from "~/platform/time.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { answerFile } from "./load-or-not-found";
import { daysAhead, type PolicyData } from "./policy-facts";

/** Serves the days that lie ahead of a policy as a calendar. */
export const loader = (args: LoaderFunctionArgs) =>
  answerFile(args, (t, policy) => {
    const body = calendarOf(t, policy, Date.now());
    return body && { name: t("cp:calendar.file"), type: "text/calendar; charset=utf-8", body };
  });

export const action = readOnlyFile;

/** Alarms come a week and a day before, in ms, at 9 in the morning: a whole day begins at midnight. */
const ALARMS_BEFORE = [7 * DAY, DAY];
const MORNING = 9 * HOUR;
/** Revisions are numbered by days since this one, so that a later change has a larger number. */
const FIRST_REVISION = "2020-01-01";

/**
 * A calendar (RFC 5545) with the end of a policy's cover and the day when its premium is due, as whole days that leave the
 * customer free, each with the alarms that are still to come. It tells the policy's name and nothing else of the customer,
 * because calendars are shared and synchronised.
 * @returns undefined if no day lies ahead
 */
export function calendarOf(
  t: Translate,
  policy: PolicyData & { readonly id: string },
  now: number,
): string | undefined {
  const days = daysAhead(policy, isoDayInPoland(now));
  if (days.length === 0) return undefined;
  // The library escapes every text but this one.
  const company = brand().name.replace(/[\\;,]/g, "\\$&");
  const calendar = ical({ prodId: { company, product: "portal", language: t.language } });
  const { changedOn } = policy;
  const revision =
    changedOn === undefined
      ? {}
      : {
          lastModified: new Date(changedOn),
          sequence: daysBetween(FIRST_REVISION, changedOn),
        };
  for (const { kind, day } of days) {
    const description = t(`cp:calendar.${kind}`, { name: policy.name });
    const event = calendar.createEvent({
      id: uidOf(policy.id, kind),
      start: new Date(day),
      allDay: true,
      summary: description,
      transparency: ICalEventTransparency.TRANSPARENT,
      ...revision,
    });
    const morning = readMomentInPoland(`${day}T09:00`) ?? 0;
    for (const before of ALARMS_BEFORE.filter((before) => morning - before > now))
      event.createAlarm({
        type: ICalAlarmType.display,
        triggerBefore: (before - MORNING) / SECOND,
        description,
      });
  }
  // The library leaves out the last line's end, which RFC 5545 §3.1 asks for.
  return `${calendar.toString()}\r\n`;
}

/** Stays the same, so that a later file moves the event; and is no address of the policy. */
function uidOf(id: string, kind: string): string {
  return createHash("sha256").update(`${kind} ${id}`).digest("hex").slice(0, 32);
}
