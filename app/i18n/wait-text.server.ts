import type { Wait } from "~/contract/refusal.server";
import { DAY, HOUR, SECOND } from "~/platform/time.server";
import type { Translate } from "./texts.server";
import { dayInPoland } from "./times.server";

/** A longer wait is told in hours. */
const LONGEST_IN_MINUTES = (2 * HOUR) / SECOND;

/**
 * How long to wait, in words: in seconds if the portal is busy or the database unavailable, in minutes or hours behind a
 * cap.
 */
export function waitText(t: Translate, { kind, retryAfterSeconds }: Wait): string {
  switch (kind) {
    case "busy":
      return t("errors:http.busyFor", { count: Math.ceil(retryAfterSeconds) });
    case "unavailable":
      return t("errors:http.unavailableFor", { count: Math.ceil(retryAfterSeconds) });
    case "rate-limited":
      return retryAfterSeconds > LONGEST_IN_MINUTES
        ? t("errors:http.rateLimitForHours", { count: Math.ceil((retryAfterSeconds * SECOND) / HOUR) })
        : t("errors:http.rateLimitFor", { count: wholeMinutes(retryAfterSeconds) });
  }
}

/** The words of a waiting page, instead of the usual ones of its status. */
interface WaitWords {
  readonly header?: string;
  readonly text: string;
}

/** Says how long to wait. A busy portal and an unavailable database share a status, but not their words (S115). */
export function waitWords(t: Translate, wait: Wait): WaitWords {
  const text = waitText(t, wait);
  return wait.kind === "unavailable" ? { header: t("errors:http.unavailable"), text } : { text };
}

/** Whole minutes to wait, at least one: people don't count seconds. */
export function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}

/** The first whole day after a wait: "20 grudnia 2026". */
export function dayAfterWait(t: Translate, seconds: number): string {
  return dayInPoland(t, new Date(Date.now() + seconds * 1000 + DAY).toISOString());
}
