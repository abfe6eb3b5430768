import { type RawBuilder, sql } from "kysely";
import { usernameKey } from "~/contract/rules";
import { type Keyring, steadyIndex } from "../secrets/keyring.server";
import { unknownSubject } from "../customers/customers.server";
import { everyPhone } from "../customers/phones.server";
import { usernameSubject } from "../limits/attempts.server";
import type { PersonTable } from "../store/registered.server";
import type { Reader } from "../store/store.server";
import { claimableDetails } from "../support/customer-caps.server";
import type { CustomerIds } from "../support/account-state.server";

/** A policyholder, and everything that is needed to find their rows. */
export interface Person extends CustomerIds {
  /** The subjects of their codes and audit events: account, customer, and keyed hashes of their details as typed. */
  readonly subjects: readonly string[];
  /** Substrings of the rate-limit keys of this person. */
  readonly rateLimitKeys: readonly string[];
}

/** Finds all data of a customer, including data from before they had an account. */
export async function findPerson(
  reader: Reader,
  keyring: Keyring,
  { customerId, accountId }: CustomerIds,
): Promise<Person> {
  const phones = await everyPhone(reader, keyring, customerId);
  const account = accountId === undefined ? undefined : await accountNames(reader, accountId);
  const typed = await claimableDetails(reader, { keyring }, { customerId, accountId });
  const ids = [customerId, ...(accountId === undefined ? [] : [accountId])];
  return {
    customerId,
    accountId,
    subjects: [
      ...ids,
      ...typed.map(unknownSubject),
      ...(account ? [usernameSubject({ keyring }, account.username)] : []),
    ],
    rateLimitKeys: [
      ...ids,
      ...typed,
      ...phones.map((phone) => steadyIndex(keyring, "phone", phone)),
      ...(account
        ? [steadyIndex(keyring, "username", usernameKey(account.username)), ...account.devices]
        : []),
    ],
  };
}

/** The username and the trusted devices of an account. */
async function accountNames(reader: Reader, accountId: string) {
  const { username } = await reader
    .selectFrom("accounts")
    .select("username")
    .where("id", "=", accountId)
    .executeTakeFirstOrThrow();
  const devices = await reader
    .selectFrom("trusted_devices")
    .select("id")
    .where("account_id", "=", accountId)
    .execute();
  return { username, devices: devices.map(({ id }) => id) };
}

/** A row as it is stored. */
export type Row = Readonly<Record<string, unknown>>;

type Condition = RawBuilder<boolean>;

/** The condition for a person's rows, by table. */
const ROWS: Readonly<Record<PersonTable, (person: Person) => Condition>> = {
  customers: ({ customerId }) => sql`id = ${customerId}`,
  policies: ({ customerId }) => sql`customer_id = ${customerId}`,
  documents: ({ customerId }) =>
    sql`policy_no in (select policy_no from policies where customer_id = ${customerId})`,
  document_parts: ({ customerId }) => sql`document_id in (
    select documents.id from documents join policies on policies.policy_no = documents.policy_no
    where policies.customer_id = ${customerId})`,
  taken_back: ({ customerId }) => sql`customer_id = ${customerId}`,
  restorable: ({ customerId }) => sql`id in (select id from taken_back where customer_id = ${customerId})`,
  restorable_parts: ({ customerId }) =>
    sql`document_id in (select id from taken_back where customer_id = ${customerId})`,
  staff_requests: ({ customerId }) => sql`customer_id = ${customerId}`,
  accounts: ({ customerId }) => sql`customer_id = ${customerId}`,
  password_history: ofAccount,
  username_changes: ofAccount,
  document_passwords: ofAccount,
  sessions: ofAccount,
  trusted_devices: ofAccount,
  login_passes: ofAccount,
  known_browsers: ofAccount,
  factors: ofAccount,
  prepared_factors: ofAccount,
  passkeys: ofAccount,
  passkey_challenges: ofAccount,
  factor_settings: ofAccount,
  codes: ({ subjects }) => oneOf("subject", subjects),
  attempts: ({ rateLimitKeys }) => contains("subject", rateLimitKeys),
  windows: ({ rateLimitKeys }) => contains("bucket", rateLimitKeys),
  messages: ({ customerId }) => sql`customer_id = ${customerId}`,
  outbox: ofMessage,
  audit_events: (person) => sql`(${ofAccount(person)} or ${oneOf("subject", person.subjects)})`,
};

function ofAccount({ accountId }: Person): Condition {
  return accountId === undefined ? sql`1 = 0` : sql`account_id = ${accountId}`;
}

/** Their row of `messages` says whose they are, and is deleted after them. */
function ofMessage({ customerId }: Person): Condition {
  return sql`id in (select id from messages where customer_id = ${customerId})`;
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
export async function personRows(reader: Reader, table: PersonTable, person: Person): Promise<Row[]> {
  const query = sql<Row>`select * from ${sql.table(table)} where ${ROWS[table](person)} order by 1`;
  return (await query.execute(reader)).rows;
}

/** Counts a person's rows, by table. */
export async function countRows(reader: Reader, person: Person): Promise<[PersonTable, number][]> {
  const counts: [PersonTable, number][] = [];
  for (const table of Object.keys(ROWS) as PersonTable[]) {
    const query = sql<{ rows: number }>`
      select count(*) as rows from ${sql.table(table)} where ${ROWS[table](person)}`;
    counts.push([table, (await query.execute(reader)).rows[0]?.rows ?? 0]);
  }
  return counts;
}

/** Deletes a person's rows of a table, and the rows that refer to them. */
export async function deleteRows(tx: Reader, table: PersonTable, person: Person): Promise<void> {
  await sql`delete from ${sql.table(table)} where ${ROWS[table](person)}`.execute(tx);
}
