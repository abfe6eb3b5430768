import type { Keyring } from "~/backend/secrets/keyring.server";
import { audit, type AuditSource } from "~/backend/audit-event.server";
import { lockAccount, lockCustomer } from "~/backend/services/accounts/customers.server";
import { Overtaken, type Reader, type Tx } from "~/backend/store/store.server";
import { eraseEvents } from "../audit/erase-events.server";
import { findPerson, type Person } from "./person.server";
import { countRows, deleteRows, PERSON_TABLES, type PersonTable } from "./person-tables.server";

/** What erasing a person deletes and keeps: row counts by table. */
export interface Erasure {
  readonly erased: Readonly<Partial<Record<PersonTable, number>>>;
  /** Empty unless a policy is in force. */
  readonly kept: Readonly<Partial<Record<PersonTable, number>>>;
  /** Audit events that lose everything they say about the person. */
  readonly tombstones: number;
}

/** These stay as long as a policy is in force. */
const OF_POLICIES: readonly PersonTable[] = ["customers", "policies", "documents", "document_parts"];
/** Deleting an account also deletes the rows that refer to it; deleting a document, its content. */
const DELETED = [
  ...["codes", "attempts", "windows", "sms_queue", "outbox", "accounts"],
  ...["documents", "policies", "customers"],
] as readonly PersonTable[];

/** What erasing would do now. `today` is `YYYY-MM-DD`. */
export async function planErasure(reader: Reader, person: Person, today: string): Promise<Erasure> {
  const staysInsured = await hasPolicyInForce(reader, person, today);
  const erased: Partial<Record<PersonTable, number>> = {};
  const kept: Partial<Record<PersonTable, number>> = {};
  for (const table of PERSON_TABLES.filter((name) => name !== "audit_events")) {
    const rows = await countRows(reader, table, person);
    const into = staysInsured && OF_POLICIES.includes(table) ? kept : erased;
    if (rows > 0) into[table] = rows;
  }
  return { erased, kept, tombstones: await countRows(reader, "audit_events", person) };
}

/** A policy that begins later counts, too. */
async function hasPolicyInForce(reader: Reader, { customerId }: Person, today: string): Promise<boolean> {
  const inForce = await reader
    .selectFrom("policies")
    .select("id")
    .where("customer_id", "=", customerId)
    .where("valid_to", ">=", today)
    .limit(1)
    .executeTakeFirst();
  return inForce !== undefined;
}

/** Who is erased, when, and on whose behalf. */
interface Erasing {
  readonly customerId: string;
  readonly today: string;
  readonly now: number;
  readonly source: AuditSource;
  /** The archive files that no longer mention the person. */
  readonly searched: readonly string[];
}

/**
 * Erases a person, as the owner of the tables. The audit records only that it happened.
 * @returns undefined if there is no such customer any more
 * @throws ArchivesChanged
 */
export async function erase(
  tx: Tx,
  keyring: Keyring,
  { customerId, today, now, source, searched }: Erasing,
): Promise<Erasure | undefined> {
  const accountId = await lockAccountOf(tx, customerId);
  if (!(await lockCustomer(tx, customerId))) return undefined;
  // Someone may have registered before the customer was locked.
  if ((await accountOf(tx, customerId)) !== accountId) throw new Overtaken("the customer has registered");
  const person = await findPerson(tx, keyring, { customerId, accountId });
  const erasure = await planErasure(tx, person, today);
  const tombstones = await eraseEvents(tx, keyring, { accountId, subjects: person.subjects }, searched);
  for (const table of DELETED) if (erasure.erased[table] !== undefined) await deleteRows(tx, table, person);
  await audit(tx, source, now, { event: "data-erased" });
  return { ...erasure, tombstones };
}

async function lockAccountOf(tx: Tx, customerId: string): Promise<string | undefined> {
  const accountId = await accountOf(tx, customerId);
  if (accountId !== undefined) await lockAccount(tx, accountId);
  return accountId;
}

async function accountOf(tx: Tx, customerId: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom("accounts")
    .select("id")
    .where("customer_id", "=", customerId)
    .executeTakeFirst();
  return row?.id;
}
