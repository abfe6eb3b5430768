import type { Fact } from "~/ui/policy-card";

/** The facts about a policy, both in the list and on its page; the days are formatted. */
interface ShownPolicy {
  readonly policyNo: string;
  readonly from: string;
  readonly to: string;
}

/** The words of `numberFact` and `periodFact`. */
export interface FactWords {
  readonly number: string;
  readonly period: string;
}

/** The number of a policy. */
export function numberFact({ policyNo }: ShownPolicy, words: FactWords): Fact {
  return { term: words.number, value: policyNo };
}

/** A day stays on one line, except with very large text. */
const DAY = "whitespace-nowrap tight:whitespace-normal";

/** The period of a policy. */
export function periodFact({ from, to }: ShownPolicy, words: FactWords): Fact {
  const value = (
    <>
      <span className={DAY}>{from}</span> – <span className={DAY}>{to}</span>
    </>
  );
  return { term: words.period, value };
}

/** The data of a policy that the list needs. Days are ISO dates; the last one is still covered. */
interface ListedPolicy {
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
const DAY_MS = 24 * 60 * 60 * 1000;

/** The state of a policy on a day in Poland. */
export function policyState({ validFrom, validTo }: ListedPolicy, today: string): PolicyState {
  const days = Math.round((Date.parse(validTo) - Date.parse(today)) / DAY_MS);
  if (today > validTo) return { kind: "ended", days: -days };
  if (today < validFrom) return { kind: "upcoming" };
  return days <= ENDING_DAYS ? { kind: "ending", days } : { kind: "active" };
}

const ORDER = { ending: 0, active: 1, upcoming: 2, ended: 3 } as const;

/** Sorts by what matters now: ending soonest first, then active, then beginning next, then ended, the latest first. */
export function byWhatMattersNow<Policy extends ListedPolicy>(
  policies: readonly Policy[],
  today: string,
): readonly (Policy & { readonly state: PolicyState })[] {
  const dayOf = ({ validFrom, validTo }: Policy, { kind }: PolicyState) =>
    kind === "upcoming" ? validFrom : validTo;
  return policies
    .map((policy) => ({ ...policy, state: policyState(policy, today) }))
    .sort((one, other) => {
      const kinds = ORDER[one.state.kind] - ORDER[other.state.kind];
      const days = compareDays(dayOf(one, one.state), dayOf(other, other.state));
      return kinds || (one.state.kind === "ended" ? -days : days);
    });
}

function compareDays(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The policies with the typed text in their name or number. Capitals, accents, spaces and dashes don't matter. */
export function matching<Policy extends ListedPolicy>(
  policies: readonly Policy[],
  typed: string,
): readonly Policy[] {
  const sought = plain(typed);
  if (sought === "") return policies;
  return policies.filter(({ name, policyNo }) => plain(`${name} ${policyNo}`).includes(sought));
}

/** U+0142, the l with a stroke, doesn't decompose into a letter and an accent, so it is replaced separately. */
function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .replace(/\u0142/g, "l")
    .replace(/[\s-]/g, "");
}
