import type { Sheet } from "./draw-sheet";

/** The facts in a confirmation of cover; days as `YYYY-MM-DD`. */
export interface ConfirmationFacts {
  readonly policyNo: string;
  /** The name of the policy. */
  readonly name: string;
  readonly insured: string;
  readonly validFrom: string;
  readonly validTo: string;
}

/** The words of a confirmation of cover, in Polish. */
export interface ConfirmationTexts {
  /** Its name in a list of documents. */
  readonly name: string;
  /** The day in Poland as `YYYY-MM-DD`; `now` in ms since 1970. */
  readonly dayOf: (now: number) => string;
  readonly sheet: (facts: ConfirmationFacts, now: number) => Sheet;
}

/** Approximate size of a confirmation in bytes. The list shows it before the file is made. */
export const CONFIRMATION_BYTES = 17_000;

const PREFIX = "confirmation-";

/** The id of a policy's confirmation. */
export function confirmationId(policyId: string): string {
  return PREFIX + policyId;
}

/** The policy whose confirmation this is; undefined for the id of a kept document. */
export function policyOfConfirmation(documentId: string): string | undefined {
  return documentId.startsWith(PREFIX) ? documentId.slice(PREFIX.length) : undefined;
}
