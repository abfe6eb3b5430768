import type { Wait } from "~/contract/refusal.server";
import { DAY, HOUR, SECOND } from "~/platform/time.server";
import type { Translate } from "./texts.server";
import { dayInPoland } from "./times.server";

/** Longer waits are given in hours. */
const LONGEST_IN_MINUTES = (2 * HOUR) / SECOND;

/**
 * The text that says how long to wait: in seconds if the portal is busy or the database unavailable, in minutes or hours
 * behind a rate limit.
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

/** The texts of a waiting page, which replace the texts of its status. */
interface WaitPageTexts {
  readonly header?: string;
  readonly text: string;
}

/** The texts of the page that asks to wait. A busy portal and an unavailable database share a status, but not texts (S115). */
export function waitPageTexts(t: Translate, wait: Wait): WaitPageTexts {
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
