import { readPid, readPolicyNo, usernameKey } from "~/contract/identifiers";
import type { Keyring } from "../../secrets/keyring.server";
import { tokenHash } from "../../secrets/keyed-hashes.server";
import type { PasswordHash } from "../../secrets/passwords.server";
import type { Reader, Tx } from "../../store/store.server";
import type { AccountState, CustomerKind } from "../../store/tables.server";
import { knownBrowserId } from "../sign-in/known-browsers.server";
import { hasPolicyNo, hasPid, meantByNumber, meantByPid, soughtPid } from "./spellings.server";

/** A policyholder, and their account if they have one. */
interface Holder {
  readonly customerId: string;
  readonly accountId: string | undefined;
  /** Whether the account knows the caller's browser. */
  readonly isKnownBrowser: boolean;
}

/** What it takes to change an account. */
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

/** An account whose row is locked until the end of the transaction. */
export interface LockedAccount extends Account {
  readonly state: AccountState;
}

/** The id of no account and no customer. Looking it up costs as much as looking up a real one (S108). */
export const NOBODY = "nobody";

/** The browser's token and the time (ms): they decide whether the account knows the browser. */
interface Asking {
  readonly browser: string;
  readonly now: number;
}

/** Subject key for codes requested with details that match no customer. */
export function unknownSubject(typed: string): string {
  return `${NOBODY}|${typed}`;
}

/**
 * Finds the policyholder by policy number; if an identifier is given, it must match too. It is looked up for an unknown
 * number, too, so that the answer takes as long (S108).
 */
export async function findHolder(
  reader: Reader,
  keyring: Keyring,
  asking: Asking,
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

/** Whether the identifier is that of this policyholder, among those of their kind. */
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
  { browser, now }: Asking,
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
    .select(["id", "customer_id", "username", "password_hash", "pepper_version", "state"])
    .where("id", "=", accountId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row && { ...asAccount(row), state: row.state };
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
