import { type RawBuilder, sql } from "kysely";
import type { ReadNumber } from "~/contract/identifiers";
import { type Keyring, blindIndexes } from "../../secrets/keyring.server";

/*
 * Policy numbers and personal identifiers are compared without spaces and hyphens. But two stored ones may differ only
 * in these: then each is found by its exact spelling alone.
 */

/** A personal identifier as the database knows it: as keyed hashes, one per key of the keyring. */
export interface SoughtPid {
  /** Of its spellings, the most exact first. */
  readonly exact: readonly (readonly string[])[];
  readonly compared: readonly string[];
}

/** The hashes by which an identifier is looked up. */
export function soughtPid(keyring: Keyring, { typed, read, compared }: ReadNumber): SoughtPid {
  const indexes = (value: string) => blindIndexes(keyring, "pid", value);
  // Most have one spelling, and hashing takes time.
  const asTyped = indexes(typed);
  const asRead = read === typed ? asTyped : indexes(read);
  return { exact: [asTyped, asRead], compared: compared === read ? asRead : indexes(compared) };
}

/** Whether a row of `policies` has this number, in whatever spelling. */
export function hasPolicyNo({ typed, read, compared }: ReadNumber): RawBuilder<boolean> {
  return sql`(policies.policy_no in (${typed}, ${read}) or policies.policy_no_compared = ${compared})`;
}

/** Whether a row's compared form is another than its spelling. The second index has only these. */
export const OTHER_FORM: RawBuilder<boolean> = sql`pid_compared_index <> pid_index`;

/** Whether a row of `customers` has this identifier, in whatever spelling. */
export function hasPid(sought: SoughtPid): RawBuilder<boolean> {
  return sql`(pid_index in (${sql.join(everyIndex(sought))})
    or (pid_compared_index in (${sql.join(sought.compared)}) and ${OTHER_FORM}))`;
}

/** Each hash once. A row whose spelling is the compared form has its hash as the first index. */
export function everyIndex({ exact, compared }: SoughtPid): readonly string[] {
  return [...new Set([...exact.flat(), ...compared])];
}

/** Which of the policies with this number is meant, if it is clear. */
export function meantByNumber<Row extends { readonly policy_no: string }>(
  { typed, read }: ReadNumber,
  rows: readonly Row[],
): readonly Row[] {
  return meant([[typed], [read]], rows, ({ policy_no }) => policy_no);
}

/** Which of the policyholders with this identifier is meant, if it is clear. There may be one of each kind. */
export function meantByPid<Row extends { readonly pid_index: string }>(
  { exact }: SoughtPid,
  rows: readonly Row[],
): readonly Row[] {
  return meant(exact, rows, ({ pid_index }) => pid_index);
}

/** Those with the most exact spelling that any has; if none has one, the only row. */
function meant<Row>(
  spellings: readonly (readonly string[])[],
  rows: readonly Row[],
  spellingOf: (row: Row) => string,
): readonly Row[] {
  for (const same of spellings) {
    const exact = rows.filter((row) => same.includes(spellingOf(row)));
    if (exact.length > 0) return exact;
  }
  return rows.length === 1 ? rows : [];
}
