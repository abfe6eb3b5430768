import { sql } from "kysely";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { Store } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import { columnsKeyed, type KeyedTable } from "~/backend/store/registered.server";
import { rewrapDocumentPassword } from "~/backend/secrets/data-key.server";
import { rewrappedColumns } from "~/backend/customers/write-customer.server";
import { rewrappedPremium } from "~/backend/customers/premiums.server";
import { countExactOnly, type ExactOnly } from "~/backend/customers/compared-forms.server";
import { rewrapRecovery, rewrapSecret } from "~/backend/factors/factors.server";
import { rewrapPublicKey } from "~/backend/factors/passkeys.server";
import { rewrappedKey } from "~/backend/documents/write-documents.server";
import { keepKeyVersions } from "~/backend/store/key-check.server";
import { rewrapArchives, rewrapErased, rewrapSeals } from "~/backend/audit/rewrap-audit.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "./kit/command.server";
import { withDatabase } from "~/backend/store/portal-database.server";
import { rowsOf } from "~/backend/secrets/rewrap-rows.server";

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

/** The operators' name for the rows of a table, and how they come under the current key. */
interface Keyed {
  readonly what: string;
  readonly moved:
    | { readonly as: keyof Counts; readonly by: (store: Store, keyring: Keyring) => Promise<number> }
    /** At their owner's next sign-in, or never, because they expire. */
    | "in time";
}

/** Every table whose rows need keys, in the order of the answer. */
const KEYED: Readonly<Record<KeyedTable, Keyed>> = {
  customers: {
    what: "policyholders",
    moved: { as: "customers", by: rowsOf("customers", "id", rewrappedColumns) },
  },
  document_passwords: {
    what: "document passwords",
    moved: { as: "documentPasswords", by: rowsOf("document_passwords", "account_id", passwordKey) },
  },
  policies: {
    what: "premiums",
    moved: { as: "premiums", by: rowsOf("policies", "policy_no", rewrappedPremium) },
  },
  documents: {
    what: "documents",
    moved: { as: "documents", by: rowsOf("documents", "id", rewrappedKey) },
  },
  taken_back: {
    what: "documents taken back",
    moved: { as: "documents", by: rowsOf("taken_back", "id", takenBackKey) },
  },
  restorable: { what: "rows that can be restored", moved: "in time" },
  factors: { what: "second factors", moved: { as: "factors", by: rowsOf("factors", "id", appSecret) } },
  passkeys: { what: "passkeys", moved: { as: "factors", by: rowsOf("passkeys", "id", publicKey) } },
  factor_settings: {
    what: "recovery codes",
    moved: { as: "factors", by: rowsOf("factor_settings", "account_id", recoveryCode) },
  },
  prepared_factors: { what: "factors being added", moved: "in time" },
  accounts: { what: "passwords not used since then", moved: "in time" },
  password_history: { what: "earlier passwords", moved: "in time" },
  codes: { what: "codes", moved: "in time" },
  login_passes: { what: "sign-in passes", moved: "in time" },
  messages: { what: "queued messages", moved: "in time" },
  audit_seals: { what: "seals of the audit", moved: { as: "audit", by: rewrapSeals } },
  audit_archives: { what: "archives of the audit", moved: { as: "audit", by: rewrapArchives } },
  audit_events: { what: "erased events", moved: { as: "audit", by: rewrapErased } },
  outbox: { what: "outbox messages", moved: "in time" },
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

/** Counts the rows that need any key, in the tables whose rows can be moved. */
async function countAll(store: Store): Promise<Counts> {
  const total = { ...NONE };
  for (const table of KEYED_TABLES) {
    const how = KEYED[table].moved;
    if (how === "in time") continue;
    const columns = [...columnsKeyed(table, "prefix"), ...columnsKeyed(table, "version")];
    const needsKey = columns.map((column) => sql`${sql.ref(column)} is not null`);
    const query = sql<{ count: number }>`
      select count(*) as count from ${sql.table(table)} where ${sql.join(needsKey, sql` or `)}`;
    total[how.as] += Number((await query.execute(store.read)).rows[0]?.count);
  }
  return total;
}

const NONE: Counts = { customers: 0, documentPasswords: 0, documents: 0, premiums: 0, factors: 0, audit: 0 };

/** How many rows were moved to the current key, and how many are left under older keys. */
interface Rewrapped extends Counts {
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
export async function rewrapKeys(store: Store, keyring: Keyring): Promise<Rewrapped> {
  const moved = { ...NONE };
  for (const table of KEYED_TABLES) {
    const how = KEYED[table].moved;
    if (how !== "in time") moved[how.as] += await how.by(store, keyring);
  }
  const left = await countByVersion(store, keyring);
  await keepKeyVersions(store, keyring, [...left.keys()]);
  const exactOnly = await countExactOnly(store.read);
  return { ...moved, total: await countAll(store), left, exactOnly };
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

/** `rewrap-keys`. */
export const addRewrapKeys: AddCommands = (program, runs) => {
  program
    .command("rewrap-keys")
    .description(
      "move data to the newest key, and say which older keys are still needed (docs/decisions/keys.md)",
    )
    .option("--json", "print the counts as JSON")
    .action(runs(["database", "keys"], rewrapAndReport));
};

function rewrapAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withDatabase("owner", async (store, keyring) => {
    const { left, exactOnly, total, ...moved } = await rewrapKeys(store, keyring);
    const older = keyring.versions
      .filter((version) => version !== keyring.current)
      .map((version) => ({ version, left: Object.fromEntries(left.get(version) ?? []) }));
    report(output, json, { current: keyring.current, moved, total, older, exactOnly });
    return EXIT.done;
  });
}
