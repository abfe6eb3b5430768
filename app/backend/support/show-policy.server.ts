import type { Premium } from "~/contract/premium.server";
import { type ReadNumber, readPolicyNo } from "~/contract/rules";
import type { StaffSource } from "../audit/audit-event.server";
import { accountOf } from "../customers/customers.server";
import { premiumOf } from "../customers/premiums.server";
import type { Keyring } from "../secrets/keyring.server";
import { documentsOf } from "../documents/take-back.server";
import type { Reader, Store } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { subjectOf } from "./account-state.server";
import { auditLook } from "./audit-look.server";
import { findPolicy } from "./choose-customer.server";

/** A policy, as an operator sees it. */
export interface ShownPolicy {
  readonly policy: {
    readonly policyNo: string;
    readonly id: string;
    readonly name: string;
    readonly product: string;
    readonly validFrom: string;
    readonly validTo: string;
    readonly customer: string;
    /** The holder's account, if there is one. */
    readonly account: string | undefined;
    readonly premium: Premium | undefined;
  } | null;
  readonly documents: readonly ShownDocument[];
  /** The newest first. */
  readonly takenBack: readonly ShownTakenBack[];
}

interface ShownDocument {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly issuedOn: string;
}

/** A policy or a document that was taken back. */
interface ShownTakenBack {
  readonly id: string;
  readonly document: Omit<ShownDocument, "id"> | null;
  /** The customer who held the policy. */
  readonly customer: string;
  readonly at: Date;
  readonly restorableUntil: Date | null;
}

/** Reads a policy, its documents, and everything of it that was taken back; the audit records that. @throws UsageError */
export async function showPolicy(
  { store, keyring }: { readonly store: Store; readonly keyring: Keyring },
  source: StaffSource,
  typed: string,
  now: number,
): Promise<ShownPolicy> {
  return store.write(async (tx) => {
    const number = readPolicyNo(typed);
    const policy = await findPolicy(tx, number);
    const takenBack = await takenBackOf(tx, number);
    const customerId = policy?.customer_id ?? takenBack[0]?.customer_id;
    if (customerId === undefined) throw new UsageError("no such policy");
    const accountId = await accountOf(tx, customerId);
    const customer = subjectOf({ customerId, accountId });
    await auditLook(tx, { clock: () => now }, { source, events: [{ event: "policy-shown", ...customer }] });
    return {
      policy: policy
        ? { ...listedPolicy(policy), account: accountId, premium: premiumOf(keyring, policy) }
        : null,
      documents: policy ? (await documentsOf(tx, policy.policy_no)).map(listedDocument) : [],
      takenBack: takenBack.map((row) => listedTakenBack(row, now)),
    };
  });
}

/** The rows of a policy and its documents that were taken back, in any spelling of its number, the newest first. */
export function takenBackOf(reader: Reader, { compared }: ReadNumber) {
  return reader
    .selectFrom("taken_back")
    .leftJoin("restorable", "restorable.id", "taken_back.id")
    .selectAll("taken_back")
    .select("ends_at")
    .where("policy_no_compared", "=", compared)
    .orderBy("taken_back_at", "desc")
    .orderBy("taken_back.id")
    .execute();
}

function listedPolicy({
  id,
  policy_no,
  name,
  product,
  valid_from,
  valid_to,
  customer_id,
}: Tables["policies"]) {
  return {
    policyNo: policy_no,
    id,
    name,
    product,
    validFrom: valid_from,
    validTo: valid_to,
    customer: customer_id,
  };
}

function listedDocument({ id, kind, name, issued_on }: Tables["documents"]): ShownDocument {
  return { id, kind, name, issuedOn: issued_on };
}

function listedTakenBack(
  {
    id,
    kind,
    name,
    issued_on,
    customer_id,
    taken_back_at,
    ends_at,
  }: Awaited<ReturnType<typeof takenBackOf>>[0],
  now: number,
): ShownTakenBack {
  const isDocument = kind !== null && name !== null && issued_on !== null;
  return {
    id,
    document: isDocument ? { kind, name, issuedOn: issued_on } : null,
    customer: customer_id,
    at: new Date(taken_back_at),
    restorableUntil: ends_at !== null && ends_at > now ? new Date(ends_at) : null,
  };
}
