import { type ExpressionBuilder, type RawBuilder, sql } from "kysely";
import { type ReadNumber, readPid, readPolicyNo, usernameKey } from "~/contract/rules";
import { blindIndexes, type Keyring, open, seal, steadyIndex, tokenHash } from "../secrets/keyring.server";
import type { Product } from "~/contract/customer-area.server";
import type { Premium } from "~/contract/premium.server";
import type { PasswordHash } from "../secrets/passwords.server";
import type { KeyedColumn } from "../store/registered.server";
import type { Reader, Tx } from "../store/store.server";
import type { AccountState, CustomerKind } from "../store/column-values.server";
import type { Tables } from "../store/tables.server";

/*
 * Policy numbers and personal identifiers are compared without spaces and hyphens. If two stored ones differ only in
 * these, each is found by its exact spelling alone.
 */

/** A personal identifier as it is looked up in the database: as keyed hashes, one per key of the keyring. */
export interface SoughtPid {
  /** The hashes of its spellings, the most exact first. */
  readonly exact: readonly (readonly string[])[];
  readonly compared: readonly string[];
}

/** The hashes by which an identifier is looked up. */
export function soughtPid(keyring: Keyring, { typed, read, compared }: ReadNumber): SoughtPid {
  const indexes = (value: string) => blindIndexes(keyring, "pid", value);
  // Most identifiers have one spelling, and hashing takes time.
  const asTyped = indexes(typed);
  const asRead = read === typed ? asTyped : indexes(read);
  return { exact: [asTyped, asRead], compared: compared === read ? asRead : indexes(compared) };
}

/** Whether a row of `policies` has this number, in whatever spelling. */
export function hasPolicyNo({ typed, read, compared }: ReadNumber): RawBuilder<boolean> {
  return sql`(policies.policy_no in (${typed}, ${read}) or policies.policy_no_compared = ${compared})`;
}

/** Whether a row's compared form differs from its spelling. The second index holds only such rows. */
export const OTHER_FORM: RawBuilder<boolean> = sql`pid_compared_index <> pid_index`;

/** Whether a row of `customers` has this identifier, in whatever spelling. */
export function hasPid(sought: SoughtPid): RawBuilder<boolean> {
  return sql`(pid_index in (${sql.join(everyIndex(sought))})
    or (pid_compared_index in (${sql.join(sought.compared)}) and ${OTHER_FORM}))`;
}

/** Each hash once. A row spelled in the compared form has the hash of that form in `pid_index`. */
export function everyIndex({ exact, compared }: SoughtPid): readonly string[] {
  return [...new Set([...exact.flat(), ...compared])];
}

/** The policy that this number means, among those found; none if that is unclear. */
export function meantByNumber<Row extends { readonly policy_no: string }>(
  { typed, read }: ReadNumber,
  rows: readonly Row[],
): readonly Row[] {
  return mostExact([[typed], [read]], rows, ({ policy_no }) => policy_no);
}

/** The policyholders that this identifier means, among those found: at most one of each kind; none if that is unclear. */
export function meantByPid<Row extends { readonly pid_index: string }>(
  { exact }: SoughtPid,
  rows: readonly Row[],
): readonly Row[] {
  return mostExact(exact, rows, ({ pid_index }) => pid_index);
}

/** The rows with the most exact spelling that occurs; if none is exact, the only row there is. */
function mostExact<Row>(
  spellings: readonly (readonly string[])[],
  rows: readonly Row[],
  spellingOf: (row: Row) => string,
): readonly Row[] {
  for (const same of spellings) {
    const exact = rows.filter((row) => same.includes(spellingOf(row)));
    if (exact.length > 0) return exact;
  }
  return rows.length === 1 ? rows : [];
}

// Keyed hashes of the details that a visitor claims: the keys of caps, and of codes for unknown details.

/** The hash of a username. */
export function typedUsername(keyring: Keyring, username: string): string {
  return hashOfDetails(keyring, "username", usernameKey(username));
}

/** The hash of a policy number without an identifier. */
export function typedPolicy(keyring: Keyring, policyNo: string): string {
  return hashOfDetails(keyring, "policy", readPolicyNo(policyNo).compared);
}

/** The hash of a policy number and the personal identifier that goes with it. */
export function typedHolder(
  keyring: Keyring,
  { policyNo, pid }: { readonly policyNo: string; readonly pid: string },
): string {
  return hashOfDetails(keyring, "holder", readPolicyNo(policyNo).compared, readPid(pid).compared);
}

function hashOfDetails(
  keyring: Keyring,
  kind: "username" | "policy" | "holder",
  ...words: readonly string[]
): string {
  return steadyIndex(keyring, `typed-${kind}`, JSON.stringify(words));
}

/** A policyholder, and their account if they have one. */
interface Holder {
  readonly customerId: string;
  readonly accountId: string | undefined;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
}

/** The data needed to change an account. */
export interface Account {
  readonly accountId: string;
  readonly customerId: string;
  readonly username: string;
  readonly password: PasswordHash;
}

/** An account found by its username. */
export interface NamedAccount extends Account {
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
}

/** An account whose row is locked until the end of the transaction, without its password. */
export interface LockedState extends Omit<Account, "password"> {
  readonly state: AccountState;
  /** Whether it has a second factor beside the phone number. */
  readonly hasFactors: boolean;
}

/** The same with its password. */
export interface LockedAccount extends LockedState, Account {}

/** A decoy: an id that no account or customer has. Looking it up costs as much as looking up a real one (S108). */
export const DECOY_ID = "nobody";

/** The browser's token and the time (ms): they decide whether the account knows the browser. */
interface AskingBrowser {
  readonly browser: string;
  readonly now: number;
}

/** Subject key for codes requested with details that match no customer. */
export function unknownSubject(typed: string): string {
  return `${DECOY_ID}|${typed}`;
}

/**
 * Finds the policyholder by policy number; if an identifier is given, it must match too. It is looked up even for an
 * unknown number, so that the answer takes as long (S108).
 */
export async function findHolder(
  reader: Reader,
  keyring: Keyring,
  asking: AskingBrowser,
  { policyNo, pid }: { readonly policyNo: string; readonly pid?: string },
): Promise<Holder | undefined> {
  const { now, browser } = asking;
  const number = readPolicyNo(policyNo);
  const numbered = await reader
    .selectFrom("policies")
    .innerJoin("customers", "customers.id", "policies.customer_id")
    .leftJoin("accounts", "accounts.customer_id", "customers.id")
    .select(["policy_no", "kind", "customers.id as customer_id", "accounts.id as account_id"])
    .select((eb) => knownBrowserId(eb, { browserHash: tokenHash(browser), now }).as("known_browser"))
    .where(hasPolicyNo(number))
    .execute();
  const [row] = meantByNumber(number, numbered);
  const isTheirs = pid === undefined || (await isIdentified(reader, keyring, pid, row));
  if (!row || !isTheirs) return undefined;
  return {
    customerId: row.customer_id,
    accountId: row.account_id ?? undefined,
    isKnownBrowser: row.known_browser !== null,
  };
}

/** Whether the identifier means this policyholder, among those of the same kind. */
async function isIdentified(
  reader: Reader,
  keyring: Keyring,
  pid: string,
  holder: { readonly customer_id: string; readonly kind: CustomerKind } | undefined,
): Promise<boolean> {
  const sought = soughtPid(keyring, readPid(pid));
  const rows = await reader
    .selectFrom("customers")
    .select(["id", "kind", "pid_index"])
    .where(hasPid(sought))
    .execute();
  const ofKind = rows.filter((row) => row.kind === holder?.kind);
  return meantByPid(sought, ofKind).some((row) => row.id === holder?.customer_id);
}

/** The account with this username. */
export async function findAccount(
  reader: Reader,
  { browser, now }: AskingBrowser,
  username: string,
): Promise<NamedAccount | undefined> {
  const browserHash = tokenHash(browser);
  const row = await reader
    .selectFrom("accounts")
    .select(["accounts.id", "customer_id", "username", "password_hash", "pepper_version"])
    .select((eb) => knownBrowserId(eb, { browserHash, now }).as("known_browser"))
    .where("username_key", "=", usernameKey(username))
    .executeTakeFirst();
  return row && { ...asAccount(row), isKnownBrowser: row.known_browser !== null };
}

/**
 * The account as it is now, locked until the end of the transaction. Accounts are locked before codes, and both before
 * their other rows, so that transactions never deadlock.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<LockedAccount | undefined> {
  const row = await tx
    .selectFrom("accounts")
    .select(["id", "customer_id", "username", "password_hash", "pepper_version", "state", "has_factors"])
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && { ...asAccount(row), state: row.state, hasFactors: row.has_factors === 1 };
}

/** The same without the password, whose hash the help desk's database role can't read. */
export async function lockState(tx: Tx, accountId: string): Promise<LockedState | undefined> {
  const row = await tx
    .selectFrom("accounts")
    .select(["customer_id", "username", "state", "has_factors"])
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) return undefined;
  const { customer_id: customerId, username, state } = row;
  return { accountId, customerId, username, state, hasFactors: row.has_factors === 1 };
}

/** Locks a customer, so that only one account can be made for them. Returns false if there is no such customer. */
export async function lockCustomer(tx: Tx, customerId: string): Promise<boolean> {
  const customer = tx.selectFrom("customers").select("id").where("id", "=", customerId);
  return (await customer.forNoKeyUpdate().executeTakeFirst()) !== undefined;
}

interface AccountRow {
  readonly id: string;
  readonly customer_id: string;
  readonly username: string;
  readonly password_hash: string;
  readonly pepper_version: number;
}

function asAccount(row: AccountRow): Account {
  const password = { hash: row.password_hash, pepperVersion: row.pepper_version };
  return { accountId: row.id, customerId: row.customer_id, username: row.username, password };
}

/** A policy as other systems know it; days as `YYYY-MM-DD`. */
export interface Policy {
  readonly policyNo: string;
  readonly name: string;
  readonly validFrom: string;
  readonly validTo: string;
  readonly product: Product;
  /** Undefined if the insurer says nothing of money. */
  readonly premium?: Premium | undefined;
}

/** The name the portal greets: the customer's, or that of a company's representative. */
export async function nameOf(reader: Reader, keyring: Keyring, customerId: string): Promise<string> {
  const { name_sealed, representative_sealed } = await namesOf(reader, customerId);
  return representative_sealed === null
    ? openColumn(keyring, customerId, "name_sealed", name_sealed)
    : openColumn(keyring, customerId, "representative_sealed", representative_sealed);
}

/** The name of the insured: the person or the company. */
export async function insuredName(reader: Reader, keyring: Keyring, customerId: string): Promise<string> {
  const { name_sealed } = await namesOf(reader, customerId);
  return openColumn(keyring, customerId, "name_sealed", name_sealed);
}

async function namesOf(reader: Reader, customerId: string) {
  const names = await reader
    .selectFrom("customers")
    .select(["name_sealed", "representative_sealed"])
    .where("id", "=", customerId)
    .executeTakeFirst();
  return found(names);
}

/** A customer and their account are always deleted together, so the row is there. */
export function found<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Error("an account's customer is missing");
  return row;
}

/** The encrypted columns of a customer. */
export type SealedColumn = Extract<KeyedColumn<"customers", "prefix">, `${string}_sealed`>;

/** Decrypts a column of a customer. @throws Error if the value was changed or moved */
export function openColumn(
  keyring: Keyring,
  customerId: string,
  column: SealedColumn,
  sealed: string,
): string {
  return open(keyring, { table: "customers", column, row: customerId }, sealed);
}

/** Encrypts a column of a customer. */
export function sealColumn(keyring: Keyring, id: string, column: SealedColumn, text: string): string {
  return seal(keyring, { table: "customers", column, row: id }, text);
}

/** The account of a customer, if there is one. */
export async function accountOf(reader: Reader, customerId: string): Promise<string | undefined> {
  const account = reader.selectFrom("accounts").select("id").where("customer_id", "=", customerId);
  return (await account.executeTakeFirst())?.id;
}

// A known browser is one in which the account has signed in with a code in the last 30 days. It has its own tries,
// lock, codes and caps, so that strangers elsewhere can't keep the owner out (S107). It grants no access: a password or
// a code is needed as everywhere.

/** Part of a query over `accounts`: the id of the known browser that makes the call, or null. */
export function knownBrowserId(
  eb: ExpressionBuilder<Tables, "accounts">,
  { browserHash, now }: { readonly browserHash: string; readonly now: number },
) {
  return eb
    .selectFrom("known_browsers")
    .select("known_browsers.id")
    .whereRef("known_browsers.account_id", "=", "accounts.id")
    .where("known_browsers.browser_hash", "=", browserHash)
    .where("known_browsers.ends_at", ">", now);
}
