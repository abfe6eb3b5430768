import { randomUUID } from "node:crypto";
import type { ReadNumber } from "~/contract/rules";
import { meantByNumber } from "~/backend/customers/customers.server";
import { toldPremium, type Premium } from "~/contract/premium.server";
import { premiumOf } from "~/backend/customers/premiums.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { HeldPolicy, PolicyRow } from "~/backend/customers/write-customer.server";
import type { KeptOut } from "~/backend/services/documents/take-back.server";
import type { Found } from "./line-problems.server";
import type { ListedPolicy, Policyholder } from "./policyholder-line.server";
import type { SeenNumbers } from "./seen-numbers.server";

/** The policies of a line, as they are to be stored. */
export interface PlacedPolicies {
  /** Only those that must be written. */
  readonly policies: readonly HeldPolicy[];
  /** Where the line lists policies that change something that a customer sees, withdrawn ones included. */
  readonly changed: readonly string[];
  /** The stored spelling of each number, by the form in which it was read; none for a policy that isn't shown. */
  readonly spellings: ReadonlyMap<string, string>;
  readonly withdrawn: readonly PolicyRow[];
  readonly leftOut: readonly LeftOut[];
}

/** Something that an import leaves out, because it was taken back. */
export interface LeftOut {
  /** Where the line lists it. */
  readonly where: string;
  /** When it was taken back (ms). */
  readonly at: number;
  /** The id with which `--let-in` lets a document in whose content is another one. */
  readonly letIn?: string;
}

/** The data that a line's policies are compared with. */
export interface StoredPolicies {
  /** By the compared form of their numbers. */
  readonly kept: ReadonlyMap<string, readonly PolicyRow[]>;
  readonly keptOut: Pick<KeptOut, "policy">;
  readonly seen: SeenNumbers;
  /** The day in Poland, `YYYY-MM-DD`: listed premiums are of it. */
  readonly today: string;
}

/**
 * Matches each policy of a line with a stored one. Another spelling of a stored number is that policy if its holder is
 * the same, and the stored spelling stays. A policy never changes hands.
 */
export function placePolicies(
  keyring: Keyring,
  holder: Policyholder,
  customerId: string,
  { kept, keptOut, seen, today }: StoredPolicies,
): Found<PlacedPolicies> {
  const policies: HeldPolicy[] = [];
  const spellings = new Map<string, string>();
  const withdrawn: PolicyRow[] = [];
  const leftOut: LeftOut[] = [];
  const changed: string[] = [];
  for (const [nth, listed] of holder.policies.entries()) {
    const same = kept.get(listed.policyNo.compared) ?? [];
    const [row] = meantByNumber(listed.policyNo, same);
    const at = keptOut.policy(customerId, listed.policyNo, row);
    if (at !== undefined) {
      if (!listed.withdrawn) leftOut.push({ where: `policies.${nth}`, at });
      continue;
    }
    const fault = faultOf(listed.policyNo, customerId, { same, row, seen });
    if (fault !== undefined) return { ok: false, problem: `policies.${nth}${fault}` };
    if (listed.withdrawn) {
      if (row) {
        changed.push(`policies.${nth}`);
        withdrawn.push(row);
      }
      continue;
    }
    const premium = row && premiumOf(keyring, row);
    const policy = renewed(listed, customerId, row, premiumToKeep(listed, premium, today));
    spellings.set(listed.policyNo.read, policy.policyNo);
    const isSame = isSamePolicy(policy, row) && isSamePremium(policy.premium, premium);
    if (!isSame) changed.push(`policies.${nth}`);
    // The same premium of another day is no change, but the customer reads of which day it is.
    if (!isSame || policy.premium?.asOf !== premium?.asOf)
      policies.push({ ...policy, changedOn: isSame ? (row?.changed_on ?? undefined) : today });
  }
  return { ok: true, value: { policies, changed, spellings, withdrawn, leftOut } };
}

interface StoredPolicy {
  /** All with this number, in whatever spelling. */
  readonly same: readonly PolicyRow[];
  /** The policy that the number means, if that is clear. */
  readonly row: PolicyRow | undefined;
  readonly seen: SeenNumbers;
}

function faultOf(
  number: ReadNumber,
  customerId: string,
  { same, row, seen }: StoredPolicy,
): string | undefined {
  if ((row?.customer_id ?? customerId) !== customerId)
    return ": expected a policy that belongs to no other policyholder";
  if (same.length > 1)
    return row
      ? undefined
      : ".policyNo: expected the exact spelling: several policies differ only in spaces and hyphens";
  const spelling = seen.spellingOf(number);
  if (spelling === "another") return ".policyNo: expected one spelling of a policy number in a file";
  const isExact = row === undefined || row.policy_no === number.read || row.policy_no === number.typed;
  return spelling === "forgotten" && !isExact
    ? ".policyNo: expected the stored spelling, so far into a file"
    : undefined;
}

function renewed(
  { policyNo, name, validFrom, validTo, product }: ListedPolicy,
  customerId: string,
  row: PolicyRow | undefined,
  premium: Premium | undefined,
): HeldPolicy {
  return {
    ...{ id: row?.id ?? randomUUID(), premium },
    ...{ policyNo: row?.policy_no ?? policyNo.read, name, validFrom, validTo, customerId },
    product: product ?? row?.product ?? "other",
  };
}

function isSamePolicy(
  { name, validFrom, validTo, product }: HeldPolicy,
  row: PolicyRow | undefined,
): boolean {
  return (
    row?.name === name && row.valid_from === validFrom && row.valid_to === validTo && row.product === product
  );
}

function premiumToKeep(
  { premium }: ListedPolicy,
  kept: Premium | undefined,
  today: string,
): Premium | undefined {
  if (premium === undefined) return kept;
  return premium === null ? undefined : { ...premium, asOf: today };
}

const TOLD = toldPremium.keyof().options;

/** Whatever the day of which they are. */
function isSamePremium(one: Premium | undefined, other: Premium | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return TOLD.every((field) => one[field] === other[field]);
}
