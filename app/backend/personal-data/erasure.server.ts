import type { Keyring } from "../secrets/keyring.server";
import { audit, type StaffSource } from "../audit/audit-event.server";
import { accountOf, lockAccount, lockCustomer } from "../customers/customers.server";
import { REGISTRY } from "../store/registry.server";
import { PERSON_TABLES, type PersonTable } from "../store/registered.server";
import type { Registered } from "../store/registry-entry.server";
import { Overtaken, type Reader, type Tx } from "../store/store.server";
import { eraseEvents } from "../audit/erase-events.server";
import { countRows, deleteRows, findPerson, type Person } from "./person.server";

/** The rows that erasing a person deletes and keeps: counts by table. */
export interface Erasure {
  readonly erased: Readonly<Partial<Record<PersonTable, number>>>;
  /** Empty unless a policy is in force. */
  readonly kept: Readonly<Partial<Record<PersonTable, number>>>;
  /** Audit events that lose everything they say about the person. */
  readonly tombstones: number;
}

/** Whether a policy in force keeps a table's rows. */
function isOfPolicies(table: keyof typeof REGISTRY): boolean {
  const { erasure }: Registered<typeof table> = REGISTRY[table];
  if (typeof erasure === "object" && "goesWith" in erasure) return isOfPolicies(erasure.goesWith);
  return erasure === "deletes unless insured";
}

const erasedBy = (what: Registered["erasure"]) =>
  PERSON_TABLES.filter((name) => REGISTRY[name].erasure === what);
/** Rows that refer to others go first; the database deletes the rows that have a `goesWith`. */
const DELETED = [...erasedBy("deletes"), ...erasedBy("deletes unless insured").toReversed()];

/** Counts the rows that erasing the person now would delete and keep. `today` is `YYYY-MM-DD`. */
export async function planRows(reader: Reader, person: Person, today: string): Promise<Erasure> {
  const staysInsured = await hasPolicyInForce(reader, person, today);
  const erased: Partial<Record<PersonTable, number>> = {};
  const kept: Partial<Record<PersonTable, number>> = {};
  let tombstones = 0;
  for (const [table, rows] of await countRows(reader, person)) {
    if (table === "audit_events") tombstones = rows;
    else if (rows > 0) (staysInsured && isOfPolicies(table) ? kept : erased)[table] = rows;
  }
  return { erased, kept, tombstones };
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

/** An erasure from the database: the person, the time, and the origin for the audit. */
interface RowErasure {
  readonly customerId: string;
  readonly today: string;
  readonly now: number;
  readonly source: StaffSource;
  /** The archive files that no longer mention the person. */
  readonly searched: readonly string[];
}

/**
 * Erases a person's rows, as the owner of the tables. The audit records only that it happened.
 * @returns undefined if there is no such customer any more
 * @throws ArchivesChanged
 */
export async function eraseRows(
  tx: Tx,
  keyring: Keyring,
  { customerId, today, now, source, searched }: RowErasure,
): Promise<Erasure | undefined> {
  const accountId = await lockAccountOf(tx, customerId);
  if (!(await lockCustomer(tx, customerId))) return undefined;
  // Someone may have registered before the customer was locked.
  if ((await accountOf(tx, customerId)) !== accountId) throw new Overtaken("the customer has registered");
  const person = await findPerson(tx, keyring, { customerId, accountId });
  const erasure = await planRows(tx, person, today);
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
