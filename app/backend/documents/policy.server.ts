import type { CallResponse, ReadRequest } from "~/contract/calls.server";
import { NOT_FOUND, done, type Outcome } from "~/contract/refusal.server";
import type { Caller } from "../audit/audit-event.server";
import type { Dependencies } from "../dependencies.server";
import type { Tables } from "../store/tables.server";
import { insuredName } from "../customers/customers.server";
import { premiumOf } from "../customers/premiums.server";
import type { Keyring } from "../secrets/keyring.server";
import type { ActiveSession } from "../sign-in/sessions.server";
import { CONFIRMATION_BYTES, confirmationId } from "./confirmation.server";

/** The customer's policies, ordered by number. */
export async function policies(
  { store, keyring }: Dependencies,
  _caller: Caller,
  _payload: unknown,
  { customerId }: ActiveSession,
): Promise<Outcome<CallResponse<"policies">>> {
  const rows = await store.read
    .selectFrom("policies")
    .select(["id", "policy_no", "name", "valid_from", "valid_to", "product", "premium_sealed", "changed_on"])
    .where("customer_id", "=", customerId)
    .orderBy("policy_no")
    .execute();
  return done({ policies: rows.map((row) => contractPolicy(keyring, row)) });
}

/**
 * The data of a policy's page. Another customer's policy is answered like an unknown id, after the same query.
 */
export async function policy(
  deps: Dependencies,
  _caller: Caller,
  { id }: ReadRequest<"policy">,
  { customerId }: ActiveSession,
): Promise<Outcome<CallResponse<"policy">>> {
  const { store, keyring, clock, confirmationTexts, pdf } = deps;
  const found = await store.read
    .selectFrom("policies")
    .select(["id", "policy_no", "name", "valid_from", "valid_to", "product", "premium_sealed", "changed_on"])
    .where("id", "=", id)
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  if (!found) return NOT_FOUND;
  // Its documents are the next thing that the customer may ask for.
  pdf.warm();
  const documents = await store.read
    .selectFrom("documents")
    .select(["id", "name", "kind", "issued_on", "bytes"])
    .where("policy_no", "=", found.policy_no)
    .orderBy("issued_on", "desc")
    .orderBy("name")
    .execute();
  return done({
    ...contractPolicy(keyring, found),
    insured: await insuredName(store.read, keyring, customerId),
    documents: [
      {
        id: confirmationId(id),
        name: confirmationTexts.name,
        kind: "confirmation",
        issuedOn: confirmationTexts.dayOf(clock()),
        bytes: CONFIRMATION_BYTES,
        protected: true,
      },
      ...documents.map(listed),
    ],
  });
}

/** A policy as the contract has it, from its row. */
function contractPolicy(
  keyring: Keyring,
  row: Omit<Tables["policies"], "customer_id" | "policy_no_compared">,
) {
  const { id, policy_no: policyNo, name, valid_from: validFrom, valid_to: validTo, product } = row;
  const premium = premiumOf(keyring, row);
  const changedOn = row.changed_on ?? undefined;
  return {
    id,
    policyNo,
    name,
    validFrom,
    validTo,
    product,
    ...(changedOn && { changedOn }),
    ...(premium && { premium }),
  };
}

function listed(row: Pick<Tables["documents"], "id" | "name" | "kind" | "issued_on" | "bytes">) {
  const { id, name, kind, issued_on, bytes } = row;
  return { id, name, kind, issuedOn: issued_on, bytes, protected: isProtected(kind) };
}

/** Terms are public; every other document opens with the document password. */
export function isProtected(kind: Tables["documents"]["kind"]): boolean {
  return kind !== "terms";
}
