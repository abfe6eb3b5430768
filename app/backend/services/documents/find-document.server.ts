import type { Dependencies } from "../../dependencies.server";
import { insuredName } from "../accounts/customers.server";
import { policyOfConfirmation, type ConfirmationFacts } from "./confirmation.server";
import { isProtected } from "./policy.server";

/** A document of a customer, with what is needed to give it out. */
export type FoundDocument =
  | { readonly kind: "confirmation"; readonly name: string; readonly facts: ConfirmationFacts }
  | KeptContent;

/** A kept document, and the key to its content. */
export interface KeptContent {
  readonly kind: "kept";
  readonly name: string;
  readonly id: string;
  readonly bytes: number;
  readonly isProtected: boolean;
  readonly key: { readonly keyVersion: number; readonly wrappedKey: string };
}

/** Finds a customer's document. Another customer's takes the same queries as one that doesn't exist. */
export async function findDocument(
  deps: Dependencies,
  id: string,
  customerId: string,
): Promise<FoundDocument | undefined> {
  const policyId = policyOfConfirmation(id);
  return policyId === undefined
    ? findKept(deps, id, customerId)
    : findConfirmation(deps, policyId, customerId);
}

async function findKept(
  { store }: Dependencies,
  id: string,
  customerId: string,
): Promise<KeptContent | undefined> {
  const row = await store.read
    .selectFrom("documents")
    .innerJoin("policies", "policies.policy_no", "documents.policy_no")
    .select(["documents.id", "documents.name", "documents.kind", "bytes", "key_version", "wrapped_key"])
    .where("documents.id", "=", id)
    .where("policies.customer_id", "=", customerId)
    .executeTakeFirst();
  return (
    row && {
      kind: "kept",
      id: row.id,
      name: row.name,
      bytes: row.bytes,
      isProtected: isProtected(row.kind),
      key: { keyVersion: row.key_version, wrappedKey: row.wrapped_key },
    }
  );
}

async function findConfirmation(
  { store, keyring, confirmationTexts }: Dependencies,
  policyId: string,
  customerId: string,
): Promise<FoundDocument | undefined> {
  const row = await store.read
    .selectFrom("policies")
    .select(["policy_no", "name", "valid_from", "valid_to"])
    .where("id", "=", policyId)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  if (!row) return undefined;
  const facts = {
    policyNo: row.policy_no,
    name: row.name,
    validFrom: row.valid_from,
    validTo: row.valid_to,
    insured: await insuredName(store.read, keyring, customerId),
  };
  return { kind: "confirmation", name: `${confirmationTexts.name} ${row.policy_no}`, facts };
}
