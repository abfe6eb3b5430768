import { randomUUID } from "node:crypto";
import { type Premium, sourcePremium } from "~/contract/premium.server";
import type { ReadNumber } from "~/contract/rules";
import type { Keyring } from "../secrets/keyring.server";
import { meantByNumber } from "../customers/customers.server";
import { type PhonePlan, planPhone } from "../customers/phones.server";
import { premiumOf } from "../customers/premiums.server";
import {
  type CustomerRow,
  type DetailName,
  type FoundCustomer,
  type HeldPolicy,
  newCustomer,
  type PolicyRow,
  renewedCustomer,
  type SoughtCustomer,
} from "../customers/write-customer.server";
import type { KeptOut } from "../documents/take-back.server";
import type { Tables } from "../store/tables.server";
import type { ReadDocument } from "./document-files.server";
import type { Found } from "./line-problems.server";
import type { ImportedHolder, ListedPolicy, NamedDocument } from "./policyholder-line.server";

/** A policyholder from a valid line. */
export interface Candidate extends SoughtCustomer {
  readonly holder: ImportedHolder;
  readonly documents: readonly ReadDocument[];
  /** The row of a new policyholder; undefined if they are known already. */
  readonly fresh: CustomerRow | undefined;
}

/** A line that can't be written. */
export interface Refused {
  readonly kind: "refused";
  readonly problem: string;
}

/** The changes that a line asks for, checked before anything is written. */
export interface Plan extends Pick<PlacedPolicies, "policies" | "changed" | "withdrawn" | "leftOut"> {
  readonly kind: "new" | "changed" | "unchanged";
  readonly customerId: string;
  /** Undefined if the row stays as it is. */
  readonly customer: CustomerRow | undefined;
  /** The numbers of a known policyholder, if they must be written. */
  readonly phone: PhonePlan | undefined;
  /** The details of a known policyholder that change. */
  readonly details: readonly DetailName[];
  readonly documents: readonly ReadDocument[];
  readonly withdrawnDocuments: readonly WithdrawnDocument[];
}

export interface WithdrawnDocument extends NamedDocument {
  /** Where the line lists it. */
  readonly where: string;
  readonly policyNo: string;
}

/** The data stored already, and the policy numbers of the file's earlier lines. */
export interface Stored {
  /** By the compared form of their numbers. */
  readonly kept: ReadonlyMap<string, readonly PolicyRow[]>;
  readonly keptOut: Pick<KeptOut, "policy">;
  readonly seen: SeenNumbers;
  /** The day in Poland, `YYYY-MM-DD`: the `asOf` of listed premiums. */
  readonly today: string;
  readonly known: FoundCustomer | undefined;
  readonly now: number;
  /** When a new phone number of this policyholder comes into use (ms). */
  readonly newPhoneFrom: number;
}

/** Plans a line that is ready. */
export function planFor(
  keyring: Keyring,
  { holder, documents, fresh }: Candidate,
  { known, now, newPhoneFrom, ...stored }: Stored,
): Plan | Refused {
  if (known === "unclear")
    return refused("pid: expected the exact spelling: several differ only in spaces and hyphens");
  // A customer who was known when the line was prepared may have been erased since.
  const row = known ?? fresh ?? newCustomer(keyring, holder);
  const placed = placePolicies(keyring, holder, row.id, stored);
  if (!placed.ok) return refused(placed.problem);
  const { policies, changed, spellings, withdrawn, leftOut } = placed.value;
  const plan = {
    policies,
    changed,
    withdrawn,
    leftOut,
    customerId: row.id,
    documents: documents.flatMap((document) => {
      const policyNo = spellings.get(document.policyNo);
      return policyNo === undefined ? [] : [{ ...document, policyNo }];
    }),
    withdrawnDocuments: withdrawnIn(holder, spellings),
  };
  const nothing = { customer: undefined, phone: undefined, details: [] };
  // A new policyholder with nothing but withdrawn policies is not added.
  if (!known) {
    const isNew = policies.length > 0;
    return { ...nothing, ...plan, ...(isNew ? { kind: "new", customer: row } : { kind: "unchanged" }) };
  }
  const phone = planPhone(keyring, known, { phone: holder.phone, now, from: newPhoneFrom });
  const renewed = renewedCustomer(keyring, known, holder);
  const details = [...(renewed?.changed ?? []), ...(phone.isChanged ? (["phone"] as const) : [])];
  return {
    ...plan,
    kind: details.length > 0 || changed.length > 0 ? "changed" : "unchanged",
    customer: renewed?.row,
    phone: isSamePhone(phone, known) ? undefined : phone,
    details,
  };
}

function isSamePhone(phone: PhonePlan, known: Tables["customers"]): boolean {
  return phone.phone_sealed === known.phone_sealed && phone.new_phone_sealed === known.new_phone_sealed;
}

function withdrawnIn(
  { policies }: ImportedHolder,
  spellings: ReadonlyMap<string, string>,
): readonly WithdrawnDocument[] {
  return policies.flatMap(({ policyNo: { read }, documents }, nth) => {
    const policyNo = spellings.get(read);
    if (policyNo === undefined) return [];
    return documents.flatMap(({ withdrawn, kind, name, issuedOn }, mth) =>
      withdrawn ? [{ policyNo, kind, name, issuedOn, where: `policies.${nth}.documents.${mth}` }] : [],
    );
  });
}

/** Refuses a line. */
export function refused(problem: string): Refused {
  return { kind: "refused", problem };
}

/** The policies of a line, as they are to be stored. */
interface PlacedPolicies {
  /** Only policies that must be written. */
  readonly policies: readonly HeldPolicy[];
  /** Where the line lists policies that change something that a customer sees, withdrawn ones included. */
  readonly changed: readonly string[];
  /** The stored spelling of each number, by the number as read. Lacks policies that are withdrawn or taken back. */
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
  /** The id for `--let-in`, if the document's content differs from the content that was taken back. */
  readonly letIn?: string;
}

/**
 * Matches each policy of a line with a stored one. Another spelling of a stored number is that policy if its holder is
 * the same, and the stored spelling stays. A policy never changes hands.
 */
export function placePolicies(
  keyring: Keyring,
  holder: ImportedHolder,
  customerId: string,
  { kept, keptOut, seen, today }: Pick<Stored, "kept" | "keptOut" | "seen" | "today">,
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
    const policy = renewedPolicy(listed, customerId, row, premiumToKeep(listed, premium, today));
    spellings.set(listed.policyNo.read, policy.policyNo);
    const isSame = isSamePolicy(policy, row) && isSamePremium(policy.premium, premium);
    if (!isSame) changed.push(`policies.${nth}`);
    // A premium that differs only in `asOf` is no change, but is written: the customer sees its day.
    if (!isSame || policy.premium?.asOf !== premium?.asOf)
      policies.push({ ...policy, changedOn: isSame ? (row?.changed_on ?? undefined) : today });
  }
  return { ok: true, value: { policies, changed, spellings, withdrawn, leftOut } };
}

function faultOf(
  number: ReadNumber,
  customerId: string,
  { same, row, seen }: { same: readonly PolicyRow[]; row: PolicyRow | undefined; seen: SeenNumbers },
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

function renewedPolicy(
  { policyNo, name, validFrom, validTo, product }: ListedPolicy,
  customerId: string,
  row: PolicyRow | undefined,
  premium: Premium | undefined,
): HeldPolicy {
  return {
    id: row?.id ?? randomUUID(),
    policyNo: row?.policy_no ?? policyNo.read,
    name,
    validFrom,
    validTo,
    customerId,
    premium,
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

const COMPARED_FIELDS = sourcePremium.keyof().options;

/** Compares all fields except `asOf`. */
function isSamePremium(one: Premium | undefined, other: Premium | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  return COMPARED_FIELDS.every((field) => one[field] === other[field]);
}

/** The maximum of remembered numbers. They take 98 MB, and as much again while the map grows. */
const MOST_NUMBERS = 2 ** 20;

/** A file's earlier spelling of a policy number. `forgotten`: unknown, because no more numbers could be remembered. */
export type SeenSpelling = "none" | "same" | "another" | "forgotten";

/**
 * The spelling of each policy number that an import has written, so that two spellings in one file don't become one
 * policy. A file may have any length, so only so many are kept.
 */
export class SeenNumbers {
  readonly #most: number;
  /** By the compared form. */
  readonly #spellings = new Map<string, string>();

  constructor(most = MOST_NUMBERS) {
    this.#most = most;
  }

  /** Compares a number with the file's earlier spelling of it. */
  spellingOf({ read, compared }: ReadNumber): SeenSpelling {
    const seen = this.#spellings.get(compared);
    if (seen !== undefined) return seen === read ? "same" : "another";
    return this.#spellings.size >= this.#most ? "forgotten" : "none";
  }

  /** Remembers the spelling of a number that was written. The first one counts. */
  add({ read, compared }: ReadNumber): void {
    if (!this.#spellings.has(compared) && this.#spellings.size < this.#most)
      this.#spellings.set(compared, read);
  }
}
