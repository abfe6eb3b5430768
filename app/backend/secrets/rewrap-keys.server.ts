import { sql } from "kysely";
import type { Keyring } from "./keyring.server";
import type { Store } from "../store/store.server";
import type { Tables } from "../store/tables.server";
import { columnsKeyed, type KeyedTable } from "../store/registered.server";
import { rewrapDocumentPassword } from "./data-key.server";
import { rewrappedColumns } from "../customers/write-customer.server";
import { rewrappedPremium } from "../customers/premiums.server";
import { countExactOnly, type ExactOnly } from "../customers/compared-forms.server";
import { rewrapRecovery, rewrapSecret } from "../factors/factors.server";
import { rewrapPublicKey } from "../factors/passkeys.server";
import { rewrappedKey } from "../documents/write-documents.server";
import { keepKeyVersions } from "../store/key-check.server";
import { rewrapArchives, rewrapErased, rewrapSeals } from "../audit/rewrap-audit.server";
import { rewrapRows } from "./rewrap-rows.server";

/** Row counts for one key, by the operators' name for the rows. Never empty. */
export type KeyCounts = ReadonlyMap<string, number>;

/** The counts in the answer of `rewrap-keys`. */
interface Counts {
  readonly customers: number;
  readonly documentPasswords: number;
  readonly documents: number;
  readonly premiums: number;
  /** Secrets of apps, keys of passkeys, and recovery codes. */
  readonly factors: number;
  /** Seals, archives and erased events. */
  readonly audit: number;
}

/** The rows of a table that need keys. */
type Keyed = Rewrappable | ResealedLater;

/** Rows that can be re-sealed without their owner. */
interface Rewrappable {
  /** The operators' name for the rows. */
  readonly what: string;
  /** The count that the rows belong to. */
  readonly countedAs: keyof Counts;
  /** Re-seals outdated rows with the current key. Returns how many. */
  readonly rewrap: (store: Store, keyring: Keyring) => Promise<number>;
}

interface ResealedLater {
  /** The operators' name for the rows. */
  readonly what: string;
  /** Null: re-sealed at the owner's next sign-in, or expires. */
  readonly rewrap: null;
}

/** Every table whose rows need keys, in the order of the answer. */
const KEYED: Readonly<Record<KeyedTable, Keyed>> = {
  customers: {
    what: "policyholders",
    countedAs: "customers",
    rewrap: rewrapRows("customers", "id", rewrappedColumns),
  },
  document_passwords: {
    what: "document passwords",
    countedAs: "documentPasswords",
    rewrap: rewrapRows("document_passwords", "account_id", passwordKey),
  },
  policies: {
    what: "premiums",
    countedAs: "premiums",
    rewrap: rewrapRows("policies", "policy_no", rewrappedPremium),
  },
  documents: {
    what: "documents",
    countedAs: "documents",
    rewrap: rewrapRows("documents", "id", rewrappedKey),
  },
  taken_back: {
    what: "documents taken back",
    countedAs: "documents",
    rewrap: rewrapRows("taken_back", "id", takenBackKey),
  },
  restorable: { what: "rows that can be restored", rewrap: null },
  factors: { what: "second factors", countedAs: "factors", rewrap: rewrapRows("factors", "id", appSecret) },
  passkeys: { what: "passkeys", countedAs: "factors", rewrap: rewrapRows("passkeys", "id", publicKey) },
  factor_settings: {
    what: "recovery codes",
    countedAs: "factors",
    rewrap: rewrapRows("factor_settings", "account_id", recoveryCode),
  },
  prepared_factors: { what: "factors being added", rewrap: null },
  accounts: { what: "passwords not used since then", rewrap: null },
  password_history: { what: "earlier passwords", rewrap: null },
  codes: { what: "codes", rewrap: null },
  login_passes: { what: "sign-in passes", rewrap: null },
  messages: { what: "queued messages", rewrap: null },
  audit_seals: { what: "seals of the audit", countedAs: "audit", rewrap: rewrapSeals },
  audit_archives: { what: "archives of the audit", countedAs: "audit", rewrap: rewrapArchives },
  audit_events: { what: "erased events", countedAs: "audit", rewrap: rewrapErased },
  outbox: { what: "outbox messages", rewrap: null },
};
const KEYED_TABLES = Object.keys(KEYED) as KeyedTable[];

/** Counts the rows under older keys, by key version. Reads whole tables, so it is too slow for every start. */
export async function countByVersion(
  store: Store,
  keyring: Keyring,
): Promise<ReadonlyMap<number, KeyCounts>> {
  const counts = new Map<number, KeyCounts>();
  for (const version of keyring.versions.filter((held) => held !== keyring.current)) {
    const ofVersion = new Map<string, number>();
    for (const table of KEYED_TABLES) {
      const conditions = [
        ...columnsKeyed(table, "prefix").map((column) => sql`${sql.ref(column)} like ${`${version}.%`}`),
        ...columnsKeyed(table, "version").map((column) => sql`${sql.ref(column)} = ${version}`),
      ];
      const query = sql<{ count: number }>`
        select count(*) as count from ${sql.table(table)} where ${sql.join(conditions, sql` or `)}`;
      const count = Number((await query.execute(store.read)).rows[0]?.count);
      if (count > 0) ofVersion.set(KEYED[table].what, count);
    }
    if (ofVersion.size > 0) counts.set(version, ofVersion);
  }
  return counts;
}

/** Counts the rows that need any key, in the tables whose rows can be re-sealed without their owner. */
async function countAll(store: Store): Promise<Counts> {
  const total = { ...NONE };
  for (const table of KEYED_TABLES) {
    const keyed = KEYED[table];
    if (keyed.rewrap === null) continue;
    const columns = [...columnsKeyed(table, "prefix"), ...columnsKeyed(table, "version")];
    const needsKey = columns.map((column) => sql`${sql.ref(column)} is not null`);
    const query = sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.join(needsKey, sql` or `)}`;
    total[keyed.countedAs] += Number((await query.execute(store.read)).rows[0]?.count);
  }
  return total;
}

const NONE: Counts = { customers: 0, documentPasswords: 0, documents: 0, premiums: 0, factors: 0, audit: 0 };

/** How many rows were moved to the current key, and how many are left under older keys. */
export interface RewrappedCounts extends Counts {
  /** The version of the current key. */
  readonly current: number;
  /** The versions of the other keys. */
  readonly older: readonly number[];
  /** How many rows of each kind there are, under any key. */
  readonly total: Counts;
  /** By key version. Versions that are missing are no longer needed. */
  readonly left: ReadonlyMap<number, KeyCounts>;
  readonly exactOnly: ExactOnly;
}

/**
 * Moves all data to the current key that can be moved without the customer: personal data with its look-up index, the
 * data keys of document passwords and documents, secrets of second factors, and the MACs of the audit (S84). The portal
 * may be running; rows that it changes meanwhile are left alone. Afterwards the database no longer needs keys that no
 * row uses.
 */
export async function rewrapKeys(store: Store, keyring: Keyring): Promise<RewrappedCounts> {
  const moved = { ...NONE };
  for (const table of KEYED_TABLES) {
    const keyed = KEYED[table];
    if (keyed.rewrap !== null) moved[keyed.countedAs] += await keyed.rewrap(store, keyring);
  }
  const left = await countByVersion(store, keyring);
  await keepKeyVersions(store, keyring, [...left.keys()]);
  const exactOnly = await countExactOnly(store.read);
  const { current } = keyring;
  const older = keyring.versions.filter((version) => version !== current);
  return { ...moved, current, older, total: await countAll(store), left, exactOnly };
}

function passwordKey(keyring: Keyring, row: Tables["document_passwords"]) {
  const kept = { keyVersion: row.key_version, wrappedKey: row.wrapped_key };
  const { keyVersion, wrappedKey } = rewrapDocumentPassword(keyring, row.account_id, kept);
  return { key_version: keyVersion, wrapped_key: wrappedKey };
}

function takenBackKey(keyring: Keyring, { id, key_version, wrapped_key }: Tables["taken_back"]) {
  const isDocument = key_version !== null && wrapped_key !== null;
  return isDocument ? rewrappedKey(keyring, { id, key_version, wrapped_key }) : {};
}

function appSecret(keyring: Keyring, row: Tables["factors"]) {
  return { secret_sealed: rewrapSecret(keyring, row) };
}

function publicKey(keyring: Keyring, row: Tables["passkeys"]) {
  return { public_key_sealed: rewrapPublicKey(keyring, row) };
}

function recoveryCode(keyring: Keyring, { account_id, recovery_sealed: kept }: Tables["factor_settings"]) {
  return kept === null ? {} : { recovery_sealed: rewrapRecovery(keyring, account_id, kept) };
}
