import type { Keyring } from "~/backend/secrets/keyring.server";
import { type PhonePlan, planPhone } from "~/backend/customers/phones.server";
import {
  type CustomerRow,
  type DetailName,
  type FoundCustomer,
  newCustomer,
  renewedCustomer,
  type SoughtCustomer,
} from "~/backend/customers/write-customer.server";
import type { Tables } from "~/backend/store/tables.server";
import type { ReadDocument } from "./document-files.server";
import { type PlacedPolicies, placePolicies, type StoredPolicies } from "./place-policies.server";
import type { NamedDocument, Policyholder } from "./policyholder-line.server";

/** A policyholder from a valid line. */
export interface Candidate extends SoughtCustomer {
  readonly holder: Policyholder;
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
export interface Stored extends StoredPolicies {
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
    ...{ policies, changed, withdrawn, leftOut, customerId: row.id },
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
  { policies }: Policyholder,
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
