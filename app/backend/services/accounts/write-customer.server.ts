import { randomUUID } from "node:crypto";
import { blindIndex } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import { seal } from "../../secrets/sealing.server";
import { listedRows, lockedRowsAmong, rowsAmong } from "../../store/listed-rows.server";
import type { Reader, Tx } from "../../store/store.server";
import type { CustomerKind, Tables } from "../../store/tables.server";
import { openColumn, type Policy, type SealedColumn } from "./customers.server";

/** A policyholder in plain text, as other systems know them. `pid` is as `readPid` returns it. */
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

/** A policyholder as stored in the database. */
export type CustomerRow = Tables["customers"];

/**
 * Makes the row of a new policyholder without writing it.
 * @param pidIndex the look-up index of the identifier under the current key, if already computed
 */
export function newCustomer(
  keyring: Keyring,
  customer: Customer,
  pidIndex = blindIndex(keyring, "pid", customer.pid),
): CustomerRow {
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
    pid_index: pidIndex,
    email_sealed: optional("email_sealed", email),
  };
}

/**
 * Makes the row with this name, representative, phone and e-mail without writing it; undefined if nothing has changed.
 * Without a new e-mail address the old one stays, because earlier files have none.
 */
export function renewedCustomer(
  keyring: Keyring,
  row: CustomerRow,
  { name, representative, phone, email }: Customer,
): CustomerRow | undefined {
  const renewed = (column: SealedColumn, text: string) => {
    const kept = row[column];
    const isSame = kept !== null && openColumn(keyring, row.id, column, kept) === text;
    return isSame ? kept : sealColumn(keyring, row.id, column, text);
  };
  const values = {
    name_sealed: renewed("name_sealed", name),
    representative_sealed:
      representative === undefined ? null : renewed("representative_sealed", representative),
    phone_sealed: renewed("phone_sealed", phone),
    email_sealed: email === undefined ? row.email_sealed : renewed("email_sealed", email),
  };
  const isChanged = Object.entries(values).some(([column, value]) => row[column as SealedColumn] !== value);
  return isChanged ? { ...row, ...values } : undefined;
}

/** What identifies a policyholder in a search. */
export interface SoughtCustomer {
  readonly kind: CustomerKind;
  /** The look-up index under each key of the keyring, the current one first. */
  readonly indexes: readonly string[];
}

/** Finds existing policyholders by kind and identifier. */
export async function findCustomers<Sought extends SoughtCustomer>(
  reader: Reader,
  sought: readonly Sought[],
): Promise<ReadonlyMap<Sought, CustomerRow>> {
  const indexes = new Set(sought.flatMap((one) => one.indexes));
  return matched(sought, await rowsAmong(reader, "customers", "pid_index", [...indexes]));
}

/** Like `findCustomers`, and locks them until the transaction ends. */
export async function lockCustomers<Sought extends SoughtCustomer>(
  tx: Tx,
  sought: readonly Sought[],
): Promise<ReadonlyMap<Sought, CustomerRow>> {
  const found = await findCustomers(tx, sought);
  const ids = new Set([...found.values()].map(({ id }) => id));
  // In the same order as `rewrap-keys`, so that the two never deadlock.
  return matched(sought, await lockedRowsAmong(tx, "customers", "id", [...ids]));
}

function matched<Sought extends SoughtCustomer>(
  sought: readonly Sought[],
  rows: readonly CustomerRow[],
): ReadonlyMap<Sought, CustomerRow> {
  const nameOf = (kind: CustomerKind, index: string) => `${kind} ${index}`;
  const byName = new Map(rows.map((row) => [nameOf(row.kind, row.pid_index), row]));
  const known = new Map<Sought, CustomerRow>();
  for (const one of sought)
    for (const index of one.indexes) {
      const row = byName.get(nameOf(one.kind, index));
      if (row) known.set(one, row);
    }
  return known;
}

const CUSTOMER_COLUMNS = [
  "id",
  "kind",
  "name_sealed",
  "representative_sealed",
  "phone_sealed",
  "pid_sealed",
  "pid_index",
  "email_sealed",
] as const;

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
        phone_sealed: eb.ref("excluded.phone_sealed"),
        email_sealed: eb.ref("excluded.email_sealed"),
      })),
    )
    .execute();
}

/** A policy and its owner. */
export interface HeldPolicy extends Policy {
  readonly customerId: string;
}

/** Finds the policies with these numbers. */
export async function policiesNumbered(reader: Reader, numbers: readonly string[]): Promise<HeldPolicy[]> {
  const rows = await rowsAmong(reader, "policies", "policy_no", numbers);
  return rows.map(({ policy_no, customer_id, name, valid_from, valid_to, product }) => ({
    ...{ policyNo: policy_no, customerId: customer_id, name },
    ...{ validFrom: valid_from, validTo: valid_to, product },
  }));
}

const POLICY_COLUMNS = [
  "id",
  "policy_no",
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
          name: eb.ref("excluded.name"),
          valid_from: eb.ref("excluded.valid_from"),
          valid_to: eb.ref("excluded.valid_to"),
          product: eb.ref("excluded.product"),
        }))
        .whereRef("policies.customer_id", "=", "excluded.customer_id"),
    )
    .execute();
}

/** Re-encrypts columns that are under an older key; empty if there are none (S84). */
export function rewrappedColumns(keyring: Keyring, row: CustomerRow): Partial<CustomerRow> {
  const columns = [
    "name_sealed",
    "representative_sealed",
    "phone_sealed",
    "pid_sealed",
    "email_sealed",
  ] as const;
  const pid = openColumn(keyring, row.id, "pid_sealed", row.pid_sealed);
  const rewrapped = columns.flatMap((column) => {
    const kept = row[column];
    if (kept === null || isCurrent(keyring, kept)) return [];
    return [
      [column, sealColumn(keyring, row.id, column, openColumn(keyring, row.id, column, kept))] as const,
    ];
  });
  const index = isCurrent(keyring, row.pid_index) ? {} : { pid_index: blindIndex(keyring, "pid", pid) };
  return { ...Object.fromEntries(rewrapped), ...index };
}

function isCurrent(keyring: Keyring, sealed: string): boolean {
  return sealed.startsWith(`${keyring.current}.`);
}

function sealColumn(keyring: Keyring, id: string, column: SealedColumn, text: string): string {
  return seal(keyring, { table: "customers", column, row: id }, text);
}
