import { randomUUID } from "node:crypto";
import { readPolicyNo, type ReadNumber } from "~/contract/identifiers";
import { listedRows, rowsAmong } from "../../store/listed-rows.server";
import type { Reader, Tx } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";
import type { Policy } from "./customers.server";

/** A policy and its owner. */
export interface HeldPolicy extends Policy {
  readonly customerId: string;
}

/** A policy as stored in the database. */
export type PolicyRow = Tables["policies"];

/** Finds the policies with these numbers, in whatever spelling: by the compared form. */
export async function policiesNumbered(
  reader: Reader,
  numbers: readonly ReadNumber[],
): Promise<ReadonlyMap<string, readonly PolicyRow[]>> {
  const exact = new Set(numbers.flatMap(({ typed, read }) => [typed, read]));
  const compared = new Set(numbers.map((number) => number.compared));
  const rows = [
    ...(await rowsAmong(reader, "policies", "policy_no", [...exact])),
    ...(await rowsAmong(reader, "policies", "policy_no_compared", [...compared])),
  ];
  const found = new Map<string, PolicyRow[]>();
  for (const row of new Map(rows.map((each) => [each.policy_no, each])).values()) {
    const { compared: form } = readPolicyNo(row.policy_no);
    found.set(form, [...(found.get(form) ?? []), row]);
  }
  return found;
}

const POLICY_COLUMNS = [
  "id",
  "policy_no",
  "policy_no_compared",
  "customer_id",
  "name",
  "valid_from",
  "valid_to",
  "product",
] as const;

/** Writes new and changed policies in one statement. Skips a policy that belongs to another customer. */
export async function putPolicies(tx: Tx, policies: readonly HeldPolicy[]): Promise<void> {
  if (policies.length === 0) return;
  const rows = policies.map(({ policyNo, customerId, name, validFrom, validTo, product }) => ({
    id: randomUUID(),
    policy_no: policyNo,
    policy_no_compared: readPolicyNo(policyNo).compared,
    customer_id: customerId,
    name,
    valid_from: validFrom,
    valid_to: validTo,
    product,
  }));
  await tx
    .insertInto("policies")
    .columns(POLICY_COLUMNS)
    .expression(listedRows(tx, POLICY_COLUMNS, rows))
    .onConflict((conflict) =>
      conflict
        .column("policy_no")
        .doUpdateSet((eb) => ({
          policy_no_compared: eb.ref("excluded.policy_no_compared"),
          name: eb.ref("excluded.name"),
          valid_from: eb.ref("excluded.valid_from"),
          valid_to: eb.ref("excluded.valid_to"),
          product: eb.ref("excluded.product"),
        }))
        .whereRef("policies.customer_id", "=", "excluded.customer_id"),
    )
    .execute();
}
