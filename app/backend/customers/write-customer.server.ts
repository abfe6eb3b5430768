import { randomUUID } from "node:crypto";
import { type ReadNumber, readPid, readPolicyNo } from "~/contract/rules";
import { blindIndex, type Keyring } from "../secrets/keyring.server";
import { listedRows, lockedRowsAmong, rowsAmong } from "../store/listed-rows.server";
import type { Reader, Tx } from "../store/store.server";
import { sealPremium } from "./premiums.server";
import { findIndex, indexOfRow } from "./find-indexes.server";
import { REGISTRY } from "../store/registry.server";
import { columnsKeyed, type KeyedColumn } from "../store/registered.server";
import type { CustomerKind } from "../store/column-values.server";
import type { Tables } from "../store/tables.server";
import {
  everyIndex,
  meantByPid,
  openColumn,
  sealColumn,
  OTHER_FORM,
  type Policy,
  type SealedColumn,
  type SoughtPid,
} from "./customers.server";

/** A policyholder in plain text, as other systems know them. `pid` is in upper case, in the spelling that is stored. */
export interface Customer {
  readonly kind: CustomerKind;
  readonly name: string;
  /** The person who acts for a company. */
  readonly representative?: string | undefined;
  /** In international form: `+48500100001`. */
  readonly phone: string;
  readonly pid: string;
  readonly email?: string | undefined;
}

/** A policyholder's row, apart from a new number that waits (`planPhone`). */
export type CustomerRow = Omit<
  Tables["customers"],
  "new_phone_sealed" | "new_phone_from" | "new_phone_index"
>;

/** The details of a policyholder that an import can change. */
export type DetailName = "name" | "representative" | "phone" | "email";

/** Makes the row of a new policyholder without writing it. */
export function newCustomer(keyring: Keyring, customer: Customer): CustomerRow {
  const id = randomUUID();
  const { kind, name, representative, phone, pid, email } = customer;
  const optional = (column: SealedColumn, text: string | undefined) =>
    text === undefined ? null : sealColumn(keyring, id, column, text);
  return {
    id,
    kind,
    name_sealed: sealColumn(keyring, id, "name_sealed", name),
    representative_sealed: optional("representative_sealed", representative),
    phone_sealed: sealColumn(keyring, id, "phone_sealed", phone),
    pid_sealed: sealColumn(keyring, id, "pid_sealed", pid),
    ...pidIndexes(keyring, pid),
    email_sealed: optional("email_sealed", email),
    name_index: findIndex(keyring, "name", name),
    phone_index: findIndex(keyring, "phone", phone),
    email_index: email === undefined ? null : findIndex(keyring, "email", email),
  };
}

/** Decrypts a policyholder's identifier, in the spelling that is stored. */
export function openPid(
  keyring: Keyring,
  { id, pid_sealed }: Pick<CustomerRow, "id" | "pid_sealed">,
): string {
  return openColumn(keyring, id, "pid_sealed", pid_sealed);
}

/** Hashes only once if the identifier is spelled in its compared form, as most are: hashing takes time. */
function pidIndexes(keyring: Keyring, pid: string): Pick<CustomerRow, "pid_index" | "pid_compared_index"> {
  const index = blindIndex(keyring, "pid", pid);
  const isCompared = readPid(pid).compared === pid;
  return { pid_index: index, pid_compared_index: isCompared ? index : comparedIndex(keyring, pid) };
}

/** The look-up index of an identifier's compared form. */
function comparedIndex(keyring: Keyring, pid: string): string {
  return blindIndex(keyring, "pid", readPid(pid).compared);
}

/**
 * Makes the row with this name, representative and e-mail without writing it; undefined if nothing has changed. Without
 * a new e-mail address the old one stays, because earlier files have none.
 */
export function renewedCustomer(
  keyring: Keyring,
  row: CustomerRow,
  { name, representative, email }: Omit<Customer, "phone">,
): { readonly row: CustomerRow; readonly changed: readonly DetailName[] } | undefined {
  const renewed = (column: keyof typeof DETAILS, text: string) => {
    const kept = row[column];
    const isSame = kept !== null && openColumn(keyring, row.id, column, kept) === text;
    return isSame ? kept : sealColumn(keyring, row.id, column, text);
  };
  const values = {
    name_sealed: renewed("name_sealed", name),
    representative_sealed:
      representative === undefined ? null : renewed("representative_sealed", representative),
    email_sealed: email === undefined ? row.email_sealed : renewed("email_sealed", email),
  };
  const columns = Object.keys(DETAILS) as (keyof typeof DETAILS)[];
  const changed = columns.filter((column) => row[column] !== values[column]);
  if (changed.length === 0) return undefined;
  const indexes = {
    name_index: findIndex(keyring, "name", name),
    email_index: email === undefined ? row.email_index : findIndex(keyring, "email", email),
  };
  return { row: { ...row, ...values, ...indexes }, changed: changed.map((column) => DETAILS[column]) };
}

const DETAILS = {
  name_sealed: "name",
  representative_sealed: "representative",
  email_sealed: "email",
} as const satisfies Partial<Record<SealedColumn, DetailName>>;

/** The kind and identifier by which a policyholder is looked up. */
export interface SoughtCustomer {
  readonly kind: CustomerKind;
  readonly pid: SoughtPid;
}

/** A policyholder; `unclear` if several have the identifier, none in the spelling sought. */
export type FoundCustomer = Tables["customers"] | "unclear";

/** Finds existing policyholders by kind and identifier. */
export async function findCustomers<Sought extends SoughtCustomer>(
  reader: Reader,
  sought: readonly Sought[],
): Promise<ReadonlyMap<Sought, FoundCustomer>> {
  const every = new Set(sought.flatMap(({ pid }) => everyIndex(pid)));
  const compared = new Set(sought.flatMap(({ pid }) => pid.compared));
  const rows = [
    ...(await rowsAmong(reader, "customers", "pid_index", [...every])),
    ...(await rowsAmong(reader, "customers", "pid_compared_index", [...compared], OTHER_FORM)),
  ];
  const byIndex = new Map<string, Map<string, Tables["customers"]>>();
  for (const row of rows)
    for (const index of [row.pid_index, row.pid_compared_index]) {
      const name = `${row.kind} ${index}`;
      byIndex.set(name, (byIndex.get(name) ?? new Map<string, Tables["customers"]>()).set(row.id, row));
    }
  const found = new Map<Sought, FoundCustomer>();
  for (const one of sought) {
    const same = new Map(
      everyIndex(one.pid).flatMap((index) => [...(byIndex.get(`${one.kind} ${index}`) ?? [])]),
    );
    const [row] = meantByPid(one.pid, [...same.values()]);
    if (same.size > 0) found.set(one, row ?? "unclear");
  }
  return found;
}

/** Like `findCustomers`, but locks the rows until the transaction ends. */
export async function lockCustomers<Sought extends SoughtCustomer>(
  tx: Tx,
  sought: readonly Sought[],
): Promise<ReadonlyMap<Sought, FoundCustomer>> {
  const found = await findCustomers(tx, sought);
  const ids = new Set([...found.values()].flatMap((one) => (one === "unclear" ? [] : one.id)));
  // In the same order as `rewrap-keys`, so that the two never deadlock.
  const locked = new Map(
    (await lockedRowsAmong(tx, "customers", "id", [...ids])).map((row) => [row.id, row]),
  );
  const asLocked = [...found].flatMap(([one, row]): [Sought, FoundCustomer][] => {
    // The policyholder may just have been erased.
    const lockedRow = row === "unclear" ? row : locked.get(row.id);
    return lockedRow === undefined ? [] : [[one, lockedRow]];
  });
  return new Map(asLocked);
}

const CUSTOMER_COLUMNS = Object.keys(REGISTRY.customers.columns).filter(
  (column) => !column.startsWith("new_phone"),
) as (keyof CustomerRow)[];

/** Writes new and changed policyholders in one statement. Lock the changed ones first. */
export async function putCustomers(tx: Tx, rows: readonly CustomerRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("customers")
    .columns(CUSTOMER_COLUMNS)
    .expression(listedRows(tx, CUSTOMER_COLUMNS, rows))
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet((eb) => ({
        name_sealed: eb.ref("excluded.name_sealed"),
        representative_sealed: eb.ref("excluded.representative_sealed"),
        email_sealed: eb.ref("excluded.email_sealed"),
        name_index: eb.ref("excluded.name_index"),
        email_index: eb.ref("excluded.email_index"),
      })),
    )
    .execute();
}

/** Computes each look-up column again; columns that aren't here are encrypted. */
const INDEXES: Readonly<
  Record<
    Exclude<KeyedColumn<"customers", "prefix">, SealedColumn>,
    (keyring: Keyring, row: Tables["customers"]) => string | null
  >
> = {
  pid_index: (keyring, row) => blindIndex(keyring, "pid", openPid(keyring, row)),
  pid_compared_index: (keyring, row) => comparedIndex(keyring, openPid(keyring, row)),
  name_index: (keyring, row) => indexOfRow(keyring, row, "name_index"),
  phone_index: (keyring, row) => indexOfRow(keyring, row, "phone_index"),
  new_phone_index: (keyring, row) => indexOfRow(keyring, row, "new_phone_index"),
  email_index: (keyring, row) => indexOfRow(keyring, row, "email_index"),
};

/** The columns that an older key sealed, sealed and hashed again with the current one; empty if there are none (S84). */
export function rewrappedColumns(keyring: Keyring, row: Tables["customers"]): Partial<Tables["customers"]> {
  const columns: Partial<Tables["customers"]> = {};
  for (const column of columnsKeyed("customers", "prefix")) {
    const kept = row[column];
    if (kept === null || isCurrent(keyring, kept)) continue;
    if (isIndex(column)) Object.assign(columns, { [column]: INDEXES[column](keyring, row) });
    else columns[column] = sealColumn(keyring, row.id, column, openColumn(keyring, row.id, column, kept));
  }
  return columns;
}

function isIndex(column: keyof Tables["customers"]): column is keyof typeof INDEXES {
  return Object.hasOwn(INDEXES, column);
}

function isCurrent(keyring: Keyring, sealed: string): boolean {
  return sealed.startsWith(`${keyring.current}.`);
}

/** A policy and its owner. */
export interface HeldPolicy extends Policy {
  /** The id of its row; a random one for a new policy. */
  readonly id: string;
  readonly customerId: string;
  /** The day, in Poland, on which an import last changed it; undefined if none has. */
  readonly changedOn?: string | undefined;
}

/** A policy as stored in the database. */
export type PolicyRow = Tables["policies"];

/** Finds the policies with these numbers, in any spelling. The keys of the map are compared forms. */
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
  "premium_sealed",
  "changed_on",
] as const;

/** Writes new and changed policies in one statement. Skips a policy that belongs to another customer. */
export async function putPolicies(tx: Tx, keyring: Keyring, policies: readonly HeldPolicy[]): Promise<void> {
  if (policies.length === 0) return;
  const rows = policies.map(
    ({ id, policyNo, customerId, name, validFrom, validTo, product, premium, changedOn }) => ({
      id,
      policy_no: policyNo,
      policy_no_compared: readPolicyNo(policyNo).compared,
      customer_id: customerId,
      name,
      valid_from: validFrom,
      valid_to: validTo,
      product,
      premium_sealed: sealPremium(keyring, id, premium),
      changed_on: changedOn ?? null,
    }),
  );
  await tx
    .insertInto("policies")
    .columns(POLICY_COLUMNS)
    .expression(listedRows(tx, POLICY_COLUMNS, rows))
    .onConflict((conflict) =>
      conflict
        .column("policy_no")
        .doUpdateSet((eb) => ({
          name: eb.ref("excluded.name"),
          valid_from: eb.ref("excluded.valid_from"),
          valid_to: eb.ref("excluded.valid_to"),
          product: eb.ref("excluded.product"),
          premium_sealed: eb.ref("excluded.premium_sealed"),
          changed_on: eb.ref("excluded.changed_on"),
        }))
        .whereRef("policies.customer_id", "=", "excluded.customer_id"),
    )
    .execute();
}
