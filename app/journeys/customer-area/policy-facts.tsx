import { WITHOUT_END } from "~/contract/customer-area.server";
import { CURRENCIES, type Premium } from "~/contract/premium.server";
import type { Translate } from "~/i18n/texts.server";
import { amountText, dayInPoland, dueDay } from "~/i18n/times.server";
import { brand } from "~/platform/config/brand.server";
import { daysBetween } from "~/platform/time.server";
import { type BadgeProps, type Fact, SumToPay } from "~/ui/policy-card";
import { policyPath } from "../kit/addresses";

/** The data of a policy, in the list and on its page. Days are ISO dates; the last one is still covered. */
export interface PolicyData {
  readonly policyNo: string;
  readonly name: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly changedOn?: string | undefined;
  readonly premium?: Premium | undefined;
}

/** The address of a policy's page, or of what lies behind it: paying, a transfer's code, its days as a calendar, the proof of cover. */
export function policyAddress(id: string, part?: "payment" | "code.png" | "calendar.ics" | "proof"): string {
  return part === undefined ? policyPath(id) : `${policyPath(id)}/${part}`;
}

/** The state of a policy on one day. `days`: until its last day, 0 on that day; for an ended one since its last day. */
export type PolicyState =
  | { readonly kind: "ending" | "ended"; readonly days: number }
  | { readonly kind: "active" | "upcoming" };

/** A policy is about to end when its last day is this near (contract: customer area, My Policies). */
const ENDING_DAYS = 30;
/** A policy says for this long after its end how to get cover again. */
const ENDED_DAYS = 90;

/** The state of a policy on a day in Poland. */
export function policyState({ validFrom, validTo }: PolicyData, today: string): PolicyState {
  const days = daysBetween(today, validTo);
  if (today > validTo) return { kind: "ended", days: -days };
  if (today < validFrom) return { kind: "upcoming" };
  return days <= ENDING_DAYS ? { kind: "ending", days } : { kind: "active" };
}

/** The reason for advice on how to get cover again; undefined if cover isn't about to end, or ended long ago. */
export function coverEnd(state: PolicyState): "ending" | "ended" | undefined {
  if (state.kind === "ending") return "ending";
  return state.kind === "ended" && state.days <= ENDED_DAYS ? "ended" : undefined;
}

/** The state of a policy as text and colour. */
export function stateBadge(t: Translate, state: PolicyState, { validFrom }: PolicyData): BadgeProps {
  switch (state.kind) {
    case "ending":
      return { tone: "soon", text: endingText(t, state.days) };
    case "active":
      return { tone: "good", text: t("cp:policies.state.active") };
    case "upcoming":
      return { tone: "later", text: t("cp:policies.state.upcoming", { day: dayInPoland(t, validFrom) }) };
    case "ended":
      return { tone: "over", text: t("cp:policies.state.ended") };
  }
}

function endingText(t: Translate, days: number): string {
  if (days === 0) return t("cp:policies.state.endsToday");
  if (days === 1) return t("cp:policies.state.endsTomorrow");
  return t("cp:policies.state.ending", { count: days });
}

/** The name of a policy. It comes from the insurer and is always in Polish. */
export function nameFact(t: Translate, name: string): Fact {
  return { term: t("cp:policy.name"), value: <span lang="pl">{name}</span> };
}

/** The number of a policy. */
export function numberFact(t: Translate, { policyNo }: PolicyData): Fact {
  return { term: t("cp:policies.number"), value: policyNo };
}

/** A day stays on one line, except with very large text. */
const DAY = "whitespace-nowrap tight:whitespace-normal";

/** The period of a policy. */
export function periodFact(t: Translate, { validFrom, validTo }: PolicyData): Fact {
  const value =
    validTo === WITHOUT_END ? (
      t("cp:policies.endless", { from: dayInPoland(t, validFrom) })
    ) : (
      <>
        <span className={DAY}>{dayInPoland(t, validFrom)}</span> –{" "}
        <span className={DAY}>{dayInPoland(t, validTo)}</span>
      </>
    );
  return { term: t("cp:policies.period"), value };
}

/** The state of a premium on one day (contract: customer area, Premiums). `dueOn` and `until` are ISO days. */
export type PremiumState =
  | { readonly kind: "overdue" | "due"; readonly dueOn: string }
  | { readonly kind: "later"; readonly dueOn: string }
  | { readonly kind: "paid"; readonly until: string };

/** A premium is about to be due when its day is this near. */
const DUE_DAYS = 14;

/** The state of a premium on a day in Poland; undefined if the insurer says neither until when it is paid nor what is due. */
export function premiumState(premium: Premium | undefined, today: string): PremiumState | undefined {
  if (premium === undefined) return undefined;
  const { dueOn, paidUntil } = premium;
  if (dueOn === null || (paidUntil !== null && paidUntil >= dueOn))
    return paidUntil === null ? undefined : { kind: "paid", until: paidUntil };
  const days = daysBetween(today, dueOn);
  if (days < 0) return { kind: "overdue", dueOn };
  return { kind: days <= DUE_DAYS ? "due" : "later", dueOn };
}

/** The state of a premium that asks for payment now: it is overdue, or due within days. */
export function paymentAsked(premium: Premium | undefined, today: string) {
  const state = premiumState(premium, today);
  return state?.kind === "overdue" || state?.kind === "due" ? state : undefined;
}

/** A premium as text. */
function premiumText(t: Translate, premium: Premium, state: PremiumState, today: string): string {
  const amount = amountText(t, premium);
  switch (state.kind) {
    case "overdue":
      return t("cp:premium.overdue", { amount, day: dueDay(t, state.dueOn, today) });
    case "due":
      return t("cp:premium.due", { amount, to: dueDay(t, state.dueOn, today) });
    case "later":
      return t("cp:premium.later", { amount, to: dueDay(t, state.dueOn, today) });
    case "paid":
      return t("cp:premium.paid", { to: dayInPoland(t, state.until) });
  }
}

/** A premium as text, coloured if a payment is due; nothing if the policy has no premium. */
export function premiumFacts(t: Translate, premium: Premium | undefined, today: string): readonly Fact[] {
  const state = premiumState(premium, today);
  if (premium === undefined || state === undefined) return [];
  const text = premiumText(t, premium, state, today);
  const asked = paymentAsked(premium, today);
  const value = asked ? <SumToPay text={text} amount={amountText(t, premium)} urgency={asked.kind} /> : text;
  return [{ term: t("cp:premium.term"), value }];
}

/** The sum of premiums, each currency apart: "263,20 zł + 40,00 EUR". */
export function sumText(t: Translate, premiums: readonly Premium[]): string {
  return CURRENCIES.flatMap((currency) => {
    const same = premiums.filter((premium) => premium.currency === currency);
    const cents = same.reduce((sum, { amount }) => sum + BigInt(amount.replace(".", "")), 0n);
    const amount = String(cents)
      .padStart(3, "0")
      .replace(/(?=..$)/, ".");
    return cents === 0n ? [] : amountText(t, { amount, currency });
  }).join(" + ");
}

/** Whether the portal can say how to pay: something is due, and there is a page for it or an account. */
export function canBePaid(premium: Premium | undefined, today: string): boolean {
  const state = premiumState(premium, today);
  if (state === undefined || state.kind === "paid") return false;
  return brand().payment.url !== undefined || typeof premium?.account === "string";
}

/** A day of a policy for the calendar: its last day, or the day when its premium is due. */
interface DayAhead {
  readonly kind: "end" | "due";
  readonly day: string;
}

/** The days of a policy that lie ahead, today included. */
export function daysAhead({ validTo, premium }: PolicyData, today: string): readonly DayAhead[] {
  const state = premiumState(premium, today);
  const isDue = state?.kind === "due" || state?.kind === "later";
  return [
    ...(isDue ? [{ kind: "due" as const, day: state.dueOn }] : []),
    ...(validTo >= today && validTo !== WITHOUT_END ? [{ kind: "end" as const, day: validTo }] : []),
  ];
}

/** Whether a policy has a page to show at the roadside. */
export function hasProof({ product }: { readonly product?: string | undefined }): boolean {
  return product === "car";
}
