import type { Translate } from "~/i18n/texts.server";
import { dayInPoland } from "~/i18n/times.server";
import type { BadgeProps, Fact } from "~/ui/policy-card";

/** The data of a policy, in the list and on its page. Days are ISO dates; the last one is still covered. */
export interface PolicyData {
  readonly policyNo: string;
  readonly name: string;
  readonly validFrom: string;
  readonly validTo: string;
}

/** The state of a policy on one day. `days`: until its last day, 0 on that day; for an ended one since its last day. */
export type PolicyState =
  | { readonly kind: "ending" | "ended"; readonly days: number }
  | { readonly kind: "active" | "upcoming" };

/** A policy is about to end when its last day is this near (contract: customer area, My Policies). */
const ENDING_DAYS = 30;
/** A policy says for this long after its end how to get cover again. */
const ENDED_DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The state of a policy on a day in Poland. */
export function policyState({ validFrom, validTo }: PolicyData, today: string): PolicyState {
  const days = Math.round((Date.parse(validTo) - Date.parse(today)) / DAY_MS);
  if (today > validTo) return { kind: "ended", days: -days };
  if (today < validFrom) return { kind: "upcoming" };
  return days <= ENDING_DAYS ? { kind: "ending", days } : { kind: "active" };
}

/** The reason for advice on how to get cover again; undefined if cover isn't about to end, or ended long ago. */
export function coverEnd(state: PolicyState): "ending" | "ended" | undefined {
  if (state.kind === "ending") return "ending";
  return state.kind === "ended" && state.days <= ENDED_DAYS ? "ended" : undefined;
}

/** The state of a policy in words and colour. */
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

/** The number of a policy. */
export function numberFact(t: Translate, { policyNo }: PolicyData): Fact {
  return { term: t("cp:policies.number"), value: policyNo };
}

/** A day stays on one line, except with very large text. */
const DAY = "whitespace-nowrap tight:whitespace-normal";

/** The period of a policy. */
export function periodFact(t: Translate, { validFrom, validTo }: PolicyData): Fact {
  const value = (
    <>
      <span className={DAY}>{dayInPoland(t, validFrom)}</span> –{" "}
      <span className={DAY}>{dayInPoland(t, validTo)}</span>
    </>
  );
  return { term: t("cp:policies.period"), value };
}
