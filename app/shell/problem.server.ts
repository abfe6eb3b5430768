import { data } from "@remix-run/node";
import type { RouteArgs } from "~/front-door/context.server";
import { oncePerLanguage, type Translate } from "~/i18n/texts.server";
import { timeInPoland } from "~/i18n/times.server";
import { textsFor } from "~/visit/browser.server";

/** The texts of a problem page. */
export interface ProblemTexts {
  readonly header: string;
  readonly text: string;
  /** The number that visitors read out to the helpline, and the time; none for a mistyped address (F52). */
  readonly reference?: string | undefined;
  readonly home: string;
}

/** Statuses that have their own page. */
export const PROBLEM_STATUSES = [400, 403, 404, 405, 411, 413, 414, 415, 429, 431, 500, 503] as const;
export type ProblemStatus = (typeof PROBLEM_STATUSES)[number];

/** The texts of the page for a status, with this request's reference number. */
export function problemTexts(t: Translate, status: ProblemStatus, args: RouteArgs): ProblemTexts {
  return textsOf(t, status, referenceOf(t, args));
}

/** Texts of the problems that may be thrown where no texts are at hand. The root sends them with every page. */
export function problemWords(t: Translate, args: RouteArgs): Readonly<Record<number, ProblemTexts>> {
  const reference = referenceOf(t, args);
  return {
    400: textsOf(t, 400, reference),
    429: textsOf(t, 429, reference),
    500: textsOf(t, 500, reference),
    503: textsOf(t, 503, reference),
  };
}

function textsOf(t: Translate, status: ProblemStatus, reference: string): ProblemTexts {
  return {
    header: t(`errors:page.${status}.header`),
    text: t(`errors:page.${status}.text`),
    ...(status !== 404 && { reference }),
    home: t("errors:page.home"),
  };
}

function referenceOf(t: Translate, { context }: RouteArgs): string {
  const time = timeInPoland(t, Date.now());
  const { text } = referenceWithGaps(t);
  return text.replace(ID, () => context.incoming.requestId).replace(TIME, () => time);
}

const [ID, TIME] = ["{id}", "{time}"];

/** Every page has its own number, so filling it in must not cost a call of i18next. */
const referenceWithGaps = oncePerLanguage((t) => ({ text: t("errors:page.ref", { id: ID, time: TIME }) }));

/** A problem page to throw, together with its texts. */
export async function problem(args: RouteArgs, status: ProblemStatus, headers?: HeadersInit) {
  const texts = problemTexts(await textsFor(args.request), status, args);
  return data({ texts }, { status, ...(headers && { headers }) });
}
