import { data } from "@remix-run/node";
import type { RouteArgs } from "~/front-door/context.server";
import { oncePerLanguage, type Translate } from "~/i18n/texts.server";
import { timeInPoland } from "~/i18n/times.server";
import { textsFor } from "~/visit/browser.server";
import { helpAtAnyHour } from "./layout.server";

/** The texts of a problem page. */
export interface ProblemTexts {
  readonly header: string;
  readonly text: string;
  /** The number that visitors read out to the helpline, and the time; none for a mistyped address (F52). */
  readonly reference?: string | undefined;
  /** The number that helps after damage at any hour, in a sentence, if the insurer has one. */
  readonly always?: string | undefined;
  /** The text of the button to the portal; none while every page is closed. */
  readonly home?: string | undefined;
}

/** Statuses that have their own page. */
export const PROBLEM_STATUSES = [400, 403, 404, 405, 411, 413, 414, 415, 429, 431, 500, 503] as const;
export type ProblemStatus = (typeof PROBLEM_STATUSES)[number];

/** The texts of the page for a status, with this request's reference number. */
export function problemTexts(t: Translate, status: ProblemStatus, args: RouteArgs): ProblemTexts {
  return textsOf(t, status, args);
}

/** Texts of the problems that may be thrown where no texts are at hand. The root sends them with every page. */
export function problemWords(t: Translate, args: RouteArgs): Readonly<Record<number, ProblemTexts>> {
  return {
    400: textsOf(t, 400, args),
    429: textsOf(t, 429, args),
    500: textsOf(t, 500, args),
    503: textsOf(t, 503, args),
  };
}

function textsOf(t: Translate, status: ProblemStatus, args: RouteArgs): ProblemTexts {
  return {
    header: t(`errors:page.${status}.header`),
    text: t(`errors:page.${status}.text`),
    ...(status !== 404 && { reference: referenceOf(t, args), always: helpAtAnyHour(t) }),
    home: t(PAGES_OF_HOME.has(new URL(args.request.url).pathname) ? "errors:page.again" : "errors:page.home"),
  };
}

/** Where the button to the portal would lead to the page that one is already on. */
const PAGES_OF_HOME: ReadonlySet<string> = new Set(["/home", "/cp"]);

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
