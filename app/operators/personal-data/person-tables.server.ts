import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Reader } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import type { Limits } from "~/platform/config/limits";
import { type Keyring, open } from "~/backend/secrets/keyring.server";
import type { Person } from "./person.server";

/** Tables that hold nothing about anyone, and why they don't. */
export const IMPERSONAL_TABLES = {
  facts: "what the installation remembers about itself",
  audit_seals: "hashes over the events of many people",
  audit_archives: "which months are in files; it names no one",
} as const satisfies Partial<Record<keyof Tables, string>>;

/** A table with rows about people. */
export type PersonTable = Exclude<keyof Tables, keyof typeof IMPERSONAL_TABLES>;

/** A row as it is stored. */
export type Row = Readonly<Record<string, unknown>>;

type Condition = RawBuilder<boolean>;

/** Which rows of each table are a person's. */
const ROWS: Readonly<Record<PersonTable, (person: Person) => Condition>> = {
  customers: ({ customerId }) => sql`id = ${customerId}`,
  policies: ({ customerId }) => sql`customer_id = ${customerId}`,
  documents: ({ customerId }) =>
    sql`policy_no in (select policy_no from policies where customer_id = ${customerId})`,
  document_parts: ({ customerId }) => sql`document_id in (
    select documents.id from documents join policies on policies.policy_no = documents.policy_no
    where policies.customer_id = ${customerId})`,
  accounts: ({ customerId }) => sql`customer_id = ${customerId}`,
  password_history: ofAccount,
  username_changes: ofAccount,
  document_passwords: ofAccount,
  sessions: ofAccount,
  trusted_devices: ofAccount,
  login_passes: ofAccount,
  known_browsers: ofAccount,
  codes: ({ subjects }) => oneOf("subject", subjects),
  attempts: ({ countedBy }) => contains("subject", countedBy),
  windows: ({ countedBy }) => contains("bucket", countedBy),
  sms_queue: ({ messages }) => oneOf("id", messages.sms_queue),
  outbox: ({ messages }) => oneOf("id", messages.outbox),
  audit_events: (person) => sql`(${ofAccount(person)} or ${oneOf("subject", person.subjects)})`,
};

/** All tables with rows about people. */
export const PERSON_TABLES = Object.keys(ROWS) as readonly PersonTable[];

function ofAccount({ accountId }: Person): Condition {
  return accountId === undefined ? sql`1 = 0` : sql`account_id = ${accountId}`;
}

function oneOf(column: string, values: readonly string[]): Condition {
  return values.length === 0 ? sql`1 = 0` : sql`${sql.ref(column)} in (${sql.join(values)})`;
}

/** Ids and hashes are so long that a wildcard in one of them (`_`) matches nothing else. */
function contains(column: string, values: readonly string[]): Condition {
  const found = values.map((value) => sql`${sql.ref(column)} like ${`%${value}%`}`);
  return sql`(${sql.join(found, sql` or `)})`;
}

/** Reads a person's rows of a table. */
export async function rowsOf(reader: Reader, table: PersonTable, person: Person): Promise<Row[]> {
  const query = sql<Row>`select * from ${sql.table(table)} where ${ROWS[table](person)} order by 1`;
  return (await query.execute(reader)).rows;
}

/** Counts a person's rows of a table. */
export async function countRows(reader: Reader, table: PersonTable, person: Person): Promise<number> {
  const query = sql<{ rows: number }>`
    select count(*) as rows from ${sql.table(table)} where ${ROWS[table](person)}`;
  return (await query.execute(reader)).rows[0]?.rows ?? 0;
}

/** Deletes a person's rows of a table, and the rows that refer to them. */
export async function deleteRows(tx: Reader, table: PersonTable, person: Person): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${ROWS[table](person)}`.execute(tx);
}

/** Why an id of the portal is not exported … */
export const OWN_ID = "a random number made by the portal";
/** … and why a reference to another row is not. */
export const LINK = "a link within the portal";

/** How a column is exported: under a plain name, or not at all. */
export type Column =
  | { readonly as: string; readonly read: (stored: unknown, at: Place) => unknown }
  | { readonly leftOut: string };

/** What it takes to decrypt a column. */
interface Place {
  readonly keyring: Keyring;
  readonly table: PersonTable;
  readonly column: string;
  readonly row: string;
}

/** How a table is exported: what it is, how long it is kept, and each of its columns. */
export interface Part<Table extends PersonTable = PersonTable> {
  readonly as: string;
  readonly about: string;
  readonly kept: (limits: Limits) => string;
  readonly columns: Readonly<Record<keyof Selectable<Tables[Table]>, Column>>;
}

/** Exports the stored value. */
export function plain(as: string): Column {
  return { as, read: (stored) => stored ?? undefined };
}

/** Exports a moment in ISO 8601; 0 means never. */
export function moment(as: string): Column {
  return {
    as,
    read: (stored) => (typeof stored === "number" && stored > 0 ? new Date(stored).toISOString() : undefined),
  };
}

/** Exports the decrypted value. @throws Error if the value was changed, or its key is not in the keyring */
export function sealed(as: string): Column {
  return {
    as,
    read: (stored, { keyring, ...place }) =>
      typeof stored === "string" && stored !== "" ? open(keyring, place, stored) : undefined,
  };
}

/** Exports only the words of a key such as `codes|policies|open|…`. */
export function words(as: string): Column {
  const isWord = (piece: string) => /^[a-zA-Z]+(-[a-z]+)*$|^10-minutes$/.test(piece);
  return { as, read: (stored) => String(stored).split("|").filter(isWord).join(", ") };
}

/** Leaves a column out, and says why. */
export function without(leftOut: string): Column {
  return { leftOut };
}

/** A row under the plain names. */
export function shown(keyring: Keyring, table: PersonTable, columns: Part["columns"], row: Row) {
  const entries = Object.entries<Column>(columns).flatMap(([column, how]) => {
    const place = { keyring, table, column, row: String(row["id"]) };
    return "leftOut" in how ? [] : [[how.as, how.read(row[column], place)] as const];
  });
  return Object.fromEntries(entries);
}
