import { type Span, readEventsBetween } from "~/backend/services/audit/events-between.server";
import type { StoredEvent } from "~/backend/services/audit/event-hash.server";
import { SIGN_IN_WAYS } from "~/contract/customer-area.server";
import type { Reader } from "~/backend/store/store.server";
import type { AccountState } from "~/backend/store/column-values.server";
import type { Limits } from "~/platform/config/limits";
import { UsageError } from "../kit/command.server";
import { accountsBefore, unknownEvents, unknownMessages } from "./known-times.server";
import { type Week, weeksOf } from "./weeks.server";

const WAYS = SIGN_IN_WAYS.map((way) => `signed in: ${way}` as const);

/** The figures of a week, by the names that every format gives them. */
export const FIGURES = [
  "registered",
  ...WAYS,
  // Events of earlier releases and erased ones don't say.
  "signed in: way not known",
  "codes sent",
  "codes held back by a cap",
  "codes for a number without SMS",
  "codes not sent: reason not known",
  "codes refused by the gateway",
  "codes given up",
  "notices refused",
  "notices given up",
  "locked after wrong passwords",
  "codes blocked after wrong tries",
  "factors guessed",
  "barred by staff",
  "unlocked by staff",
  "apps added",
  "passkeys added",
  "factors removed",
  "factors reset by staff",
  "recovery codes used",
] as const;
/** The name of a figure. */
export type FigureName = (typeof FIGURES)[number];
/** How often each thing happened. */
export type Figures = Readonly<Record<FigureName, number>>;

/** A month in figures: nothing in it is about one person. */
export interface MonthReport {
  readonly month: string;
  readonly weeks: readonly (Pick<Week, "firstDay" | "lastDay"> & { readonly figures: Figures })[];
  readonly total: Figures;
  readonly accounts: {
    /** Registered by the end of the month, without those that were erased since. */
    readonly atEnd: number;
    /** By state, at the time of the report. */
    readonly now: Readonly<Partial<Record<AccountState, number>>>;
    /** With a second factor, at the time of the report. */
    readonly withFactorsNow: number;
  };
  /** Sentences about missing knowledge. */
  readonly notKnown: readonly string[];
  /** Whether something is missing that should be there. */
  readonly isIncomplete: boolean;
}

interface Reporting {
  readonly db: Reader;
  /** The folder of the audit's archives. */
  readonly folder: string;
  readonly limits: Pick<Limits, "MESSAGE_DAYS">;
  /** ms */
  readonly now: number;
}

/**
 * Counts a month, by weeks in Polish time. Reads events one at a time.
 * @param month `2026-11`
 * @throws UsageError if it is no month, or has not begun
 */
export async function reportOfMonth(reporting: Reporting, month: string): Promise<MonthReport> {
  const { db, folder, limits, now } = reporting;
  const weeks = weeksOf(month);
  const span = { since: weeks[0].since, until: weeks.at(-1)?.until ?? weeks[0].until };
  if (span.since > now) throw new UsageError("--month: expected a month that has begun");
  const counted = weeks.map((week) => ({ week, figures: noFigures() }));
  const unreadable = await readEventsBetween(db, folder, span, (event) => {
    const figure = figureOf(event);
    const at = counted.findLast(({ week }) => week.since <= event.happened_at);
    if (figure && at) at.figures[figure] += 1;
  });
  for (const { week, figures } of counted) await countGivenUp(db, week, figures);
  const total = noFigures();
  for (const { figures } of counted) for (const name of FIGURES) total[name] += figures[name];
  return {
    month,
    weeks: counted.map(({ week: { firstDay, lastDay }, figures }) => ({ firstDay, lastDay, figures })),
    total,
    accounts: await countAccounts(db, span),
    notKnown: [
      ...(await unknownEvents(db, span, { now, unreadable })),
      ...unknownMessages(span, { now, limits }),
    ],
    isIncomplete: unreadable.length > 0,
  };
}

function noFigures(): Record<FigureName, number> {
  return Object.fromEntries(FIGURES.map((name) => [name, 0])) as Record<FigureName, number>;
}

/** Events that stand for a figure, whatever else they say. */
const BY_EVENT: Readonly<Partial<Record<string, FigureName>>> = {
  "account-registered": "registered",
  "code-sent": "codes sent",
  "sign-in-locked": "locked after wrong passwords",
  "code-blocked": "codes blocked after wrong tries",
  "factor-guessed": "factors guessed",
  "account-disabled": "barred by staff",
  "account-expired": "barred by staff",
  "account-unlocked": "unlocked by staff",
  "factor-removed": "factors removed",
  "factors-reset": "factors reset by staff",
  "recovery-code-used": "recovery codes used",
};

function figureOf({ event, reason, purpose }: StoredEvent): FigureName | undefined {
  switch (event) {
    case "signed-in":
      return WAYS.find((way) => way === `signed in: ${reason ?? ""}`) ?? "signed in: way not known";
    case "code-not-sent":
      if (reason === null) return "codes not sent: reason not known";
      return reason.startsWith("cap reached") ? "codes held back by a cap" : "codes for a number without SMS";
    case "message-refused":
      return purpose === null ? "notices refused" : "codes refused by the gateway";
    case "factor-added":
      return reason === "passkey" ? "passkeys added" : "apps added";
    default:
      return BY_EVENT[event];
  }
}

/** A message that no gateway took in time leaves no event. */
async function countGivenUp(
  db: Reader,
  { since, until }: Span,
  figures: Record<FigureName, number>,
): Promise<void> {
  const rows = await db
    .selectFrom("messages")
    .select(({ fn }) => ["purpose", fn.countAll().as("count")])
    .where("state", "=", "given-up")
    .where("customer_id", "is not", null)
    .where("changed_at", ">=", since)
    .where("changed_at", "<", until)
    .groupBy("purpose")
    .execute();
  for (const { purpose, count } of rows) {
    const isNotice = purpose === "notice" || purpose === "mail-notice";
    figures[isNotice ? "notices given up" : "codes given up"] += Number(count);
  }
}

async function countAccounts(db: Reader, { until }: Span): Promise<MonthReport["accounts"]> {
  const all = db.selectFrom("accounts").select(({ fn }) => fn.countAll().as("count"));
  const withFactors = await all.where("has_factors", "=", 1).executeTakeFirstOrThrow();
  const states = await all.select("state").groupBy("state").execute();
  return {
    atEnd: await accountsBefore(db, until),
    now: Object.fromEntries(states.map(({ state, count }) => [state, Number(count)])),
    withFactorsNow: Number(withFactors.count),
  };
}
