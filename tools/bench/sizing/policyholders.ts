import { randomUUID } from "node:crypto";
import { newCustomer, putCustomers, putPolicies } from "~/backend/customers/write-customer.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { Store } from "~/backend/store/store.server";

const BATCH = 500;
const PRODUCTS = ["home", "car", "travel"] as const;

/** Writes policyholders as the import does: every other one has two policies. */
export async function addPolicyholders(store: Store, keyring: Keyring, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const numbers = Array.from({ length: Math.min(BATCH, count - from) }, (_, nth) => from + nth);
    const people = numbers.map((nth) => ({ nth, row: newCustomer(keyring, policyholder(nth)) }));
    await store.write(async (tx) => {
      await putCustomers(
        tx,
        people.map(({ row }) => row),
      );
      await putPolicies(
        tx,
        keyring,
        people.flatMap(({ nth, row }) => policiesOf(nth, row.id)),
      );
    });
  }
}

function policyholder(nth: number) {
  return {
    kind: "individual",
    name: `Aleksandra Wiśniewska-${nth}`,
    phone: `+48${700_000_000 + nth}`,
    pid: String(10_000_000_000 + nth),
    email: `aleksandra.${nth}@poczta.example`,
  } as const;
}

function policiesOf(nth: number, customerId: string) {
  const numbers = nth % 2 === 0 ? [0, 1] : [0];
  return numbers.map((policy) => ({
    id: randomUUID(),
    policyNo: `SIZ-${policy}${String(nth).padStart(8, "0")}`,
    customerId,
    name: "OC i AC – Škoda Octavia Combi",
    validFrom: "2026-03-01",
    validTo: "2027-02-28",
    product: PRODUCTS[nth % PRODUCTS.length] ?? ("other" as const),
  }));
}
