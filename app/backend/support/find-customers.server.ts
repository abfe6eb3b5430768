import { readPid, readPolicyNo, usernameKey } from "~/contract/rules";
import type { AuditEvent, StaffSource } from "../audit/audit-event.server";
import {
  hasPid,
  hasPolicyNo,
  meantByNumber,
  meantByPid,
  openColumn,
  soughtPid,
} from "../customers/customers.server";
import { comparedForm, FIND_COLUMNS, type Findable, findIndex } from "../customers/find-indexes.server";
import { openPid } from "../customers/write-customer.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Reader } from "../store/store.server";
import type { CustomerKind } from "../store/column-values.server";
import type { Tables } from "../store/tables.server";
import { birthYearOf } from "./personal-numbers.server";
import { type SupportDependencies, subjectOf } from "./account-state.server";
import { auditLook } from "./audit-look.server";

/** A found customer, as the help desk sees them: who they are, without the identifier and the phone number. */
export interface FoundCustomer {
  /** For `--customer`, and in the audit where there is no account. */
  readonly customer: string;
  /** Null if the customer has not registered. */
  readonly account: string | null;
  readonly customerKind: CustomerKind;
  readonly name: string;
  /** Their numbers. */
  readonly policies: readonly string[];
  /** Null unless a PESEL says it. */
  readonly birthYear: number | null;
}

/** The result of a search. `too-many`: more than `MOST_FOUND` customers match, and none is shown. */
export type Found =
  | { readonly kind: "found"; readonly customers: readonly FoundCustomer[] }
  | { readonly kind: "too-many" }
  /** The compared form of every value is empty. */
  | { readonly kind: "no-value" };

/** The maximum of customers shown. If more match, staff must ask the caller for a rarer detail than a name. */
export const MOST_FOUND = 20;

/** The kinds of values that usually identify one customer. */
type Identifying = "username" | "policyNo" | "pid";

/** The value that the help desk looks for: whole, never a part. */
export interface Sought {
  readonly by: Identifying | Findable;
  readonly value: string;
}

/**
 * Finds the customers that match any of these values. Audits each shown customer with the operator, or the search if
 * none is shown, and counts the operator's look-ups.
 */
export function findCustomers(
  deps: Pick<SupportDependencies, "store" | "keyring" | "clock">,
  source: StaffSource,
  ...sought: readonly Sought[]
): Promise<Found> {
  return deps.store.write(async (tx): Promise<Found> => {
    const usable = sought.filter((one) => !isEmpty(one));
    if (usable.length === 0) return { kind: "no-value" };
    const found = new Map<string, Row>();
    for (const one of usable) for (const row of await rowsOf(tx, deps, one)) found.set(row.id, row);
    const rows = [...found.values()];
    const shown = rows.length > MOST_FOUND ? [] : rows;
    const customers = [];
    for (const row of shown) customers.push(await foundCustomer(tx, deps, row));
    const events = shown.map(({ id, account_id }): AuditEvent => ({
      event: "customer-found",
      ...subjectOf({ customerId: id, accountId: account_id ?? undefined }),
    }));
    const noted = events.length > 0 ? events : [{ event: "customer-sought" as const }];
    await auditLook(tx, deps, { source, events: noted });
    return rows.length > MOST_FOUND ? { kind: "too-many" } : { kind: "found", customers };
  });
}

function isEmpty({ by, value }: Sought): boolean {
  return (isIdentifying(by) ? value.trim() : comparedForm(by, value)) === "";
}

function isIdentifying(by: Sought["by"]): by is Identifying {
  return by === "username" || by === "policyNo" || by === "pid";
}

type Row = Tables["customers"] & { readonly account_id: string | null };

function rowsOf(
  reader: Reader,
  { keyring }: Pick<SupportDependencies, "keyring">,
  { by, value }: Sought,
): Promise<readonly Row[]> {
  return isIdentifying(by) ? rowsNamed(reader, keyring, by, value) : rowsHashed(reader, keyring, by, value);
}

function holders(reader: Reader) {
  return reader
    .selectFrom("customers")
    .leftJoin("accounts", "accounts.customer_id", "customers.id")
    .selectAll("customers")
    .select("accounts.id as account_id")
    .orderBy("customers.id")
    .limit(MOST_FOUND + 1);
}

/** The customers that a value identifies. Several, if their identifiers or numbers differ only in spaces. */
export async function rowsNamed(
  reader: Reader,
  keyring: Keyring,
  by: Identifying,
  value: string,
): Promise<readonly Row[]> {
  switch (by) {
    case "username":
      return holders(reader).where("accounts.username_key", "=", usernameKey(value)).execute();
    case "policyNo": {
      const number = readPolicyNo(value);
      const policies = await reader.selectFrom("policies").selectAll().where(hasPolicyNo(number)).execute();
      const meant = meantByNumber(number, policies);
      const ids = (meant.length > 0 ? meant : policies).map(({ customer_id }) => customer_id);
      return holders(reader)
        .where("customers.id", "in", [...ids, ""])
        .execute();
    }
    case "pid": {
      const sought = soughtPid(keyring, readPid(value.trim()));
      const rows = await holders(reader).where(hasPid(sought)).execute();
      const exact = meantByPid(sought, rows);
      return exact.length > 0 ? exact : rows;
    }
  }
}

function rowsHashed(reader: Reader, keyring: Keyring, by: Findable, value: string): Promise<readonly Row[]> {
  const indexes = keyring.versions.map((version) => findIndex(keyring, by, value, version));
  const columns = (Object.keys(FIND_COLUMNS) as (keyof typeof FIND_COLUMNS)[]).filter(
    (column) => FIND_COLUMNS[column].by === by,
  );
  return holders(reader)
    .where((eb) => eb.or(columns.map((column) => eb(column, "in", indexes))))
    .execute();
}

/** A customer as the help desk sees them in a list; undefined if they are gone. The caller has audited the look. */
export async function describeCustomer(
  { store: { read }, keyring }: Pick<SupportDependencies, "store" | "keyring">,
  customerId: string,
): Promise<FoundCustomer | undefined> {
  const row = await holders(read).where("customers.id", "=", customerId).executeTakeFirst();
  return row && foundCustomer(read, { keyring }, row);
}

async function foundCustomer(
  reader: Reader,
  { keyring }: Pick<SupportDependencies, "keyring">,
  row: Row,
): Promise<FoundCustomer> {
  const policies = await reader
    .selectFrom("policies")
    .select("policy_no")
    .where("customer_id", "=", row.id)
    .orderBy("policy_no")
    .execute();
  return {
    customer: row.id,
    account: row.account_id,
    customerKind: row.kind,
    name: openColumn(keyring, row.id, "name_sealed", row.name_sealed),
    policies: policies.map(({ policy_no }) => policy_no),
    birthYear: row.kind === "individual" ? (birthYearOf(openPid(keyring, row)) ?? null) : null,
  };
}
