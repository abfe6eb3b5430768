import { createHash } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { create as dispositionOf } from "content-disposition";
import ical, { ICalAlarmType } from "ical-generator";
import { isWait } from "~/contract/refusal.server";
import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";
import { DAY, HOUR, isoDayInPoland, SECOND } from "~/platform/time.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { problemResponse, waitingResponse } from "~/shell/static-page.server";
import { signedIn } from "~/visit/gate.server";
import { askForOne } from "./load-or-not-found";
import { daysAhead, type PolicyData } from "./policy-facts";

/** Serves the days that lie ahead of a policy as a calendar. Refusals are pages (contract: customer area). */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const { visit } = await signedIn(args);
  const { id = "" } = args.params;
  const asked = await askForOne(visit, "policy", id);
  if (asked === undefined) return problemResponse(args, 404);
  const policy = await visit.redirectOnFailure(asked);
  if (isWait(policy)) return waitingResponse(args, visit.t, policy);
  if (policy.kind !== "done") throw await visit.toErrorPage();
  const file = calendarOf(visit.t, { ...policy.value, id }, isoDayInPoland(Date.now()));
  if (file === undefined) return problemResponse(args, 404);
  return new Response(file, {
    headers: {
      "content-type": "text/calendar; charset=utf-8",
      "content-disposition": dispositionOf(visit.t("cp:calendar.file"), { type: "attachment" }),
    },
  });
}

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
