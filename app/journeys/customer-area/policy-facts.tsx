import type { Fact } from "~/ui/fact-list";

/** What both the list and the page say about a policy; the days are formatted. */
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
