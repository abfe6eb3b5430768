import type { Wait } from "~/contract/refusal.server";

/** All that it needs of a translation, so that whoever has one can ask. */
type Translate = (
  key: "errors:http.busyFor" | "errors:http.rateLimitFor",
  facts: { readonly count: number },
) => string;

/** How long to wait, in words: behind a crowd in seconds, behind a cap in minutes. */
export function waitText(t: Translate, { kind, retryAfterSeconds }: Wait): string {
  return kind === "busy"
    ? t("errors:http.busyFor", { count: Math.ceil(retryAfterSeconds) })
    : t("errors:http.rateLimitFor", { count: wholeMinutes(retryAfterSeconds) });
}

/** Whole minutes to wait, at least one: people don't count seconds. */
export function wholeMinutes(seconds: number): number {
  return Math.max(1, Math.ceil(seconds / 60));
}
