import { randomUUID } from "node:crypto";
import { blindIndex, blindIndexes } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import { seal } from "../../secrets/sealing.server";
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

/** The row of a new policyholder, not written yet. */
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
    pid_index: blindIndex(keyring, "pid", pid),
    email_sealed: optional("email_sealed", email),
  };
}

/**
 * The row with this name, representative, phone and e-mail, not written yet; undefined if nothing has changed. Without an
 * e-mail address the one that is known stays: files of before know none.
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

/** Finds existing policyholders by kind and identifier, and locks them until the transaction ends. */
export async function lockKnownCustomers<Person extends Pick<Customer, "kind" | "pid">>(
  tx: Tx,
  keyring: Keyring,
  people: readonly Person[],
): Promise<ReadonlyMap<Person, CustomerRow>> {
  const indexed = people.flatMap((person) =>
    blindIndexes(keyring, "pid", person.pid).map((index) => ({ person, index })),
  );
  const indexes = indexed.map(({ index }) => index);
  const found = await inChunks(indexes, (few) =>
    tx.selectFrom("customers").select("id").where("pid_index", "in", few).execute(),
  );
  if (found.length === 0) return new Map();
  const ids = found.map(({ id }) => id);
  // In the same order as `rewrap-keys`, so that the two never deadlock.
  const query = tx.selectFrom("customers").selectAll().where("id", "in", ids).orderBy("id");
  const rows = await query.forNoKeyUpdate().execute();
  const nameOf = (kind: CustomerKind, index: string) => `${kind} ${index}`;
  const byName = new Map(rows.map((row) => [nameOf(row.kind, row.pid_index), row]));
  const known = new Map<Person, CustomerRow>();
  for (const { person, index } of indexed) {
    const row = byName.get(nameOf(person.kind, index));
    if (row) known.set(person, row);
  }
  return known;
}

/** Writes new and changed policyholders in one statement. Lock those that change first. */
export async function putCustomers(tx: Tx, rows: readonly CustomerRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx
    .insertInto("customers")
    .values(rows)
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
  return inChunks(numbers, (few) =>
    reader
      .selectFrom("policies")
      .select(["policy_no as policyNo", "customer_id as customerId"])
      .select(["name", "valid_from as validFrom", "valid_to as validTo", "product"])
      .where("policy_no", "in", few)
      .execute(),
  );
}

/**
 * PostgreSQL assumes that a new table is small until it has analyzed it. Until then, looking for more values than this
 * at once would scan the whole table every time.
 */
const CHUNK = 8;

async function inChunks<Row>(
  values: readonly string[],
  find: (few: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const found: Row[] = [];
  for (let from = 0; from < values.length; from += CHUNK)
    found.push(...(await find(values.slice(from, from + CHUNK))));
  return found;
}

/** Rows of a statement: SQLite takes 32,766 values in one. */
const MOST_ROWS = 1000;

/** Writes new and changed policies in few statements. Leaves a policy alone if it belongs to another customer. */
export async function putPolicies(tx: Tx, policies: readonly HeldPolicy[]): Promise<void> {
  for (let from = 0; from < policies.length; from += MOST_ROWS)
    await putFewPolicies(tx, policies.slice(from, from + MOST_ROWS));
}

async function putFewPolicies(tx: Tx, policies: readonly HeldPolicy[]): Promise<void> {
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
    .values(rows)
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
