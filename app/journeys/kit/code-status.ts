import type { Translate } from "~/i18n/texts.server";
import { clockTimeInPoland, timeInPoland } from "~/i18n/times.server";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland, SECOND } from "~/platform/time.server";
import type { SentCode } from "~/visit/flow.server";

/** A screen's facts about its code by SMS. */
export interface CodeFacts extends SentCode {
  /** The masked number that the first code will go to, if the backend says so. */
  readonly phone?: string | undefined;
  /** No code can be sent before (ms since 1970). */
  readonly stoppedUntil?: number | undefined;
}

/** The end of a code's time, as the screen names it. */
function validUntil(codeSentAt: number): number {
  return codeSentAt + environment().limits.CODE_LIFETIME_SECONDS * SECOND;
}

/** The time at which the code of a flow has lost its validity; undefined before it, or if the flow knows of no code. */
export function codeEndedAt(t: Translate, flow: SentCode | undefined): string | undefined {
  if (flow?.codeSentAt === undefined) return undefined;
  const end = validUntil(flow.codeSentAt);
  return Date.now() < end ? undefined : clockTimeInPoland(t, end);
}

/** A status line, and the masked number in it, if it names one. */
export interface StatusLine {
  readonly status: string;
  readonly number?: string | undefined;
}

/**
 * The status line about the code.
 * @param neutral for signed-out visitors, who must not learn whether the details match a customer (S3), where a code
 *   went or until when it is valid; a resend shows only its time, so that each press changes the text (F13)
 */
export function codeStatus(t: Translate, code: CodeFacts, neutral: boolean): StatusLine {
  const { codeSentAt, resent, sentTo: number, phone, stoppedUntil } = code;
  if (stoppedUntil !== undefined)
    return { status: t("common:code.stopped", { time: nearTime(t, stoppedUntil) }) };
  if (codeSentAt === undefined)
    return phone === undefined
      ? { status: t("common:code.before") }
      : { status: t("common:code.beforeTo", { number: phone }), number: phone };
  const time = clockTimeInPoland(t, codeSentAt);
  if (neutral)
    return { status: resent ? t("common:code.resentNeutral", { time }) : t("common:code.sentNeutral") };
  const times = { time, until: clockTimeInPoland(t, validUntil(codeSentAt)) };
  if (number === undefined) return { status: t(resent ? "common:code.resent" : "common:code.sent", times) };
  return { status: t(resent ? "common:code.resentTo" : "common:code.sentTo", { ...times, number }), number };
}

/** A time with its day, unless it is today. @param time ms since 1970 */
function nearTime(t: Translate, time: number): string {
  const isToday = isoDayInPoland(time) === isoDayInPoland(Date.now());
  return isToday ? clockTimeInPoland(t, time) : timeInPoland(t, time);
}
