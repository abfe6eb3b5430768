import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import ical, { ICalAlarmType } from "ical-generator";
import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import { DAY, HOUR, isoDayInPoland, SECOND } from "~/platform/time.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { answerFile } from "./load-or-not-found";
import { daysAhead, type PolicyData } from "./policy-facts";

/** Serves the days that lie ahead of a policy as a calendar. */
export const loader = (args: LoaderFunctionArgs) =>
  answerFile(args, (t, policy) => {
    const body = calendarOf(t, policy, isoDayInPoland(Date.now()));
    return body && { name: t("cp:calendar.file"), type: "text/calendar; charset=utf-8", body };
  });

export const action = readOnlyFile;

/** A week before, at 9 in the morning: a whole day begins at midnight, and nobody wants to be woken then. */
const ALARM_BEFORE = (7 * DAY - 9 * HOUR) / SECOND;

/**
 * A calendar (RFC 5545) with the end of a policy's cover and the day when its premium is due, as whole days with an alarm
 * a week before. It tells the policy's name and nothing else of the customer, because calendars are shared and synchronised.
 * @param today an ISO day in Poland
 * @returns undefined if no day lies ahead
 */
export function calendarOf(
  t: Translate,
  policy: PolicyData & { readonly id: string },
  today: string,
): string | undefined {
  const days = daysAhead(policy, today);
  if (days.length === 0) return undefined;
  const calendar = ical({ prodId: { company: brand().name, product: "portal", language: t.language } });
  for (const { kind, day } of days) {
    const summary = t(`cp:calendar.${kind}`, { name: policy.name });
    calendar
      .createEvent({ id: uidOf(policy.id, kind), start: new Date(day), allDay: true, summary })
      .createAlarm({ type: ICalAlarmType.display, triggerBefore: ALARM_BEFORE, description: summary });
  }
  // The library leaves out the last line's end, which RFC 5545 §3.1 asks for.
  return `${calendar.toString()}\r\n`;
}

/** Stays the same, so that a later file moves the event; and is no address of the policy. */
function uidOf(id: string, kind: string): string {
  return createHash("sha256").update(`${kind} ${id}`).digest("hex").slice(0, 32);
}
