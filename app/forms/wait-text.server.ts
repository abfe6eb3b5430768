import type { Wait } from "~/contract/refusal.server";

/** The part of a translate function that is needed here, so that both kinds of it fit. */
type Translate = (
  key: "errors:http.busyFor" | "errors:http.unavailableFor" | "errors:http.rateLimitFor",
  facts: { readonly count: number },
) => string;

/**
 * How long to wait, in words: in seconds if the portal is busy or the database unavailable, in minutes behind a cap.
 */
export function waitText(t: Translate, { kind, retryAfterSeconds }: Wait): string {
  switch (kind) {
    case "busy":
      return t("errors:http.busyFor", { count: Math.ceil(retryAfterSeconds) });
    case "unavailable":
      return t("errors:http.unavailableFor", { count: Math.ceil(retryAfterSeconds) });
    case "rate-limited":
      return t("errors:http.rateLimitFor", { count: wholeMinutes(retryAfterSeconds) });
  }
}

/** Whole minutes to wait, at least one: people don't count seconds. */
export function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
