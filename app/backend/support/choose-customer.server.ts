import { type ReadNumber, readPolicyNo } from "~/contract/rules";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { hasPolicyNo, meantByNumber } from "../customers/customers.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Reader } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import type { CustomerIds, SupportDependencies } from "./account-state.server";
import { rowsNamed } from "./find-customers.server";

/** What names a customer exactly. `pid`: a personal identifier, which several customers may have. */
export type ChosenBy = "username" | "policyNo" | "account" | "customer" | "pid";

/** Finds the customer with this value. @throws UsageError if there isn't exactly one */
export async function chooseCustomer(
  { store, keyring }: Pick<SupportDependencies, "store" | "keyring">,
  by: ChosenBy,
  value: string,
): Promise<CustomerIds> {
  const [customer, ...others] = await rowsBy(store.read, keyring, by, value);
  if (!customer) throw new UsageError("no such customer");
  if (others.length > 0)
    throw new UsageError("several customers have this identifier: choose one by --policy-no");
  return { customerId: customer.id, accountId: customer.account_id ?? undefined };
}

async function rowsBy(reader: Reader, keyring: Keyring, by: ChosenBy, value: string) {
  const customers = reader
    .selectFrom("customers")
    .leftJoin("accounts", "accounts.customer_id", "customers.id")
    .select(["customers.id", "accounts.id as account_id"]);
  switch (by) {
    case "username":
    case "pid":
      return rowsNamed(reader, keyring, by, value);
    case "account":
      return customers.where("accounts.id", "=", value).execute();
    case "customer":
      return customers.where("customers.id", "=", value).execute();
    case "policyNo": {
      const policy = await findPolicy(reader, readPolicyNo(value));
      return customers.where("customers.id", "=", policy?.customer_id ?? "").execute();
    }
  }
}

/** Finds a policy by its number, in any spelling. @throws UsageError if several have it */
export async function findPolicy(
  reader: Reader,
  number: ReadNumber,
): Promise<Tables["policies"] | undefined> {
  const rows = await reader.selectFrom("policies").selectAll().where(hasPolicyNo(number)).execute();
  const [policy] = meantByNumber(number, rows);
  if (rows.length > 0 && !policy)
    throw new UsageError("several policies differ only in spaces and hyphens: give the exact number");
  return policy;
}
