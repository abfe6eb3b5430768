import { METHODS, type Method } from "~/contract/factors.server";
import { MOST_FACTOR_NAME } from "~/contract/rules";
import { oncePerLanguage, type Translate } from "~/i18n/texts.server";
import type { CallOutcome, Visit } from "~/visit/visit.server";
import type { FactorWords, OtherWay } from "./factor-screen";

/** The ways to confirm that these screens know, in the order that the backend gives. */
export function knownWays(methods: readonly string[] | undefined): readonly Method[] {
  return (methods ?? []).flatMap((name) => METHODS.filter((method) => method === name));
}

/**
 * The way that a request asks for: the one that its form was made for, or that its address names. Unknown ones are
 * ignored.
 */
export async function askedWay({ request }: Visit): Promise<Method | undefined> {
  const posted =
    request.method === "POST" ? new URLSearchParams(await request.clone().text()).get("method") : null;
  const named = posted ?? new URL(request.url).searchParams.get("method");
  return METHODS.find((method) => method === named);
}

/** The address of a screen that confirms in this way. */
export function wayAddress(here: string, method: Method): string {
  return `${here}${here.includes("?") ? "&" : "?"}method=${method}`;
}

/** Links to the other ways. */
export function otherWays(
  t: Translate,
  here: string,
  ways: readonly Method[],
  shown: Method | undefined,
): readonly OtherWay[] {
  return ways
    .filter((method) => method !== shown)
    .map((method) => ({ href: wayAddress(here, method), text: t(`factors:ways.${method}`) }));
}

/** The words for a code of an app, and for a recovery code. */
export const factorWords = oncePerLanguage((t) => {
  const checking = t("common:loading.checking");
  const app: FactorWords = {
    lead: t("factors:appCode.lead"),
    hint: t("factors:appCode.hint"),
    checking,
    help: {
      title: t("factors:appCode.helpTitle"),
      items: [t("factors:appCode.help1"), t("factors:appCode.help2")],
    },
  };
  const recovery: FactorWords = {
    lead: `${t("factors:recovery.lead")} ${t("factors:recovery.warning")}`,
    hint: t("factors:recovery.hint"),
    checking,
  };
  return { app, recovery };
});

/** A factor's name as pages show it: an insurer's own backend may keep one of any length. */
export function shownFactorName(name: string): string {
  return [...name].slice(0, MOST_FACTOR_NAME).join("");
}

/** Whether a method has become unusable since the screen was shown. */
export function isMethodGone(outcome: {
  readonly kind: string;
  readonly fields?: readonly string[];
}): boolean {
  return outcome.kind === "invalid" && outcome.fields?.includes("method") === true;
}

/**
 * A wrong code of a factor as a refused field, whose text its form names: the catalogue's words for 007 and 010 speak of
 * an SMS.
 */
export function withFactorWords<Value>(
  method: Method | undefined,
  outcome: CallOutcome<Value>,
): CallOutcome<Value> {
  const isWrong = outcome.kind === "refused" && outcome.errorCode === "007";
  if (!isWrong || method === undefined || method === "sms") return outcome;
  return { kind: "invalid", fields: ["authorizationCode"] };
}
