import { sql } from "kysely";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { Store } from "~/backend/store/store.server";
import type { Tables } from "~/backend/store/tables.server";
import { rewrapDocumentPassword } from "~/backend/secrets/data-key.server";
import { rewrappedColumns } from "~/backend/services/accounts/write-customer.server";
import {
  countExactOnly,
  type ExactOnly,
  fillPolicies,
} from "~/backend/services/accounts/compared-forms.server";
import { rewrappedKey } from "~/backend/services/documents/write-documents.server";
import { keepKeyVersions } from "~/backend/store/key-check.server";
import { rewrapAudit } from "../audit/rewrap-audit.server";
import { type AddCommands, EXIT, type ExitCode, type Output, report } from "../kit/command.server";
import { withOwnDatabase } from "../kit/portal-database.server";
import { exactOnlyInWords, IN_ANY_SPELLING } from "../kit/choose-customer.server";

/** Row counts for one key, by what operators call the rows. Never empty. */
export type KeyCounts = ReadonlyMap<string, number>;

/** Rows that need a key, and the columns with the key's version: as a number, or at the start of a sealed text. */
const KINDS: readonly { what: string; table: keyof Tables; columns: readonly string[]; isSealed?: true }[] = [
  {
    what: "policyholders",
    table: "customers",
    columns: [
      "name_sealed",
      "representative_sealed",
      "phone_sealed",
      "pid_sealed",
      "pid_index",
      "pid_compared_index",
      "email_sealed",
    ],
    isSealed: true,
  },
  { what: "document passwords", table: "document_passwords", columns: ["key_version"] },
  { what: "documents", table: "documents", columns: ["key_version"] },
  { what: "passwords not used since then", table: "accounts", columns: ["pepper_version"] },
  { what: "earlier passwords", table: "password_history", columns: ["pepper_version"] },
  { what: "codes", table: "codes", columns: ["key_version"] },
  { what: "sign-in passes", table: "login_passes", columns: ["key_version"] },
  { what: "queued messages", table: "sms_queue", columns: ["text_sealed"], isSealed: true },
  { what: "seals of the audit", table: "audit_seals", columns: ["key_version"] },
  { what: "archives of the audit", table: "audit_archives", columns: ["key_version"] },
  { what: "erased events", table: "audit_events", columns: ["erased_hash"], isSealed: true },
  { what: "outbox messages", table: "outbox", columns: ["text_sealed"], isSealed: true },
];

/** Counts the rows under older keys, by key version. Reads whole tables, so it is too slow for every start. */
export async function countByVersion(
  store: Store,
  keyring: Keyring,
): Promise<ReadonlyMap<number, KeyCounts>> {
  const counts = new Map<number, KeyCounts>();
  for (const version of keyring.versions.filter((held) => held !== keyring.current)) {
    const ofVersion = new Map<string, number>();
    for (const { what, table, columns, isSealed } of KINDS) {
      const isUnder = (column: string) =>
        isSealed ? sql`${sql.ref(column)} like ${`${version}.%`}` : sql`${sql.ref(column)} = ${version}`;
      const conditions = sql.join(columns.map(isUnder), sql` or `);
      const query = sql<{
        count: number;
      }>`select count(*) as count from ${sql.table(table)} where ${conditions}`;
      const count = Number((await query.execute(store.read)).rows[0]?.count);
      if (count > 0) ofVersion.set(what, count);
    }
    if (ofVersion.size > 0) counts.set(version, ofVersion);
  }
  return counts;
}

/** Small, so that a running portal hardly waits. */
const BATCH = 50;

/** How many rows were moved to the current key, and what is left under older keys. */
interface Rewrapped {
  readonly customers: number;
  readonly documentPasswords: number;
  readonly documents: number;
  /** Seals, archives and erased events. */
  readonly audit: number;
  /** By key version. Versions that are missing are no longer needed. */
  readonly left: ReadonlyMap<number, KeyCounts>;
  readonly exactOnly: ExactOnly;
}

/**
 * Moves to the current key what can be moved without the customer: personal data with its look-up index, the data keys
 * of document passwords and documents, and what vouches for the audit (S84). The portal may be running; rows that it
 * changes meanwhile are left alone. Afterwards the database no longer needs keys that no row uses. It also fills what
 * rows of an earlier release lack, since that needs keys, too.
 */
export async function rewrapKeys(store: Store, keyring: Keyring): Promise<Rewrapped> {
  for (let after: string | undefined = ""; after !== undefined; ) after = await fillPolicies(store, after);
  const customers = await rewrapAll((after) => rewrapCustomers(store, keyring, after));
  const documentPasswords = await rewrapAll((after) => rewrapDocumentPasswords(store, keyring, after));
  const documents = await rewrapAll((after) => rewrapDocuments(store, keyring, after));
  const audit = await rewrapAudit(store, keyring);
  const left = await countByVersion(store, keyring);
  await keepKeyVersions(store, keyring, [...left.keys()]);
  const exactOnly = await countExactOnly(store.read, keyring);
  return { customers, documentPasswords, documents, audit, left, exactOnly };
}

/** The result of one batch. The next one starts after `last`; undefined means this was the last. */
interface Batch {
  readonly changed: number;
  readonly last: string | undefined;
}

async function rewrapAll(next: (after: string) => Promise<Batch>): Promise<number> {
  let changed = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const batch: Batch = await next(after);
    changed += batch.changed;
    after = batch.last;
  }
  return changed;
}

async function rewrapCustomers(store: Store, keyring: Keyring, after: string): Promise<Batch> {
  const rows = await store.read
    .selectFrom("customers")
    .selectAll()
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  const outdated = rows.flatMap((row) => {
    const columns = rewrappedColumns(keyring, row);
    return Object.keys(columns).length > 0 ? [{ row, columns }] : [];
  });
  if (outdated.length > 0)
    await store.write(async (tx) => {
      for (const { row, columns } of outdated) {
        const asRead = Object.entries(columns).map(([column]) => column as keyof typeof columns);
        await tx
          .updateTable("customers")
          .set(columns)
          .where("id", "=", row.id)
          .where((eb) => eb.and(asRead.map((column) => eb(column, "is not distinct from", row[column]))))
          .execute();
      }
    });
  return { changed: outdated.length, last: rows.length < BATCH ? undefined : rows.at(-1)?.id };
}

async function rewrapDocumentPasswords(store: Store, keyring: Keyring, after: string): Promise<Batch> {
  const rows = await store.read
    .selectFrom("document_passwords")
    .select(["account_id", "key_version", "wrapped_key", "password_sealed"])
    .where("key_version", "<>", keyring.current)
    .where("account_id", ">", after)
    .orderBy("account_id")
    .limit(BATCH)
    .execute();
  if (rows.length > 0)
    await store.write(async (tx) => {
      for (const { account_id, key_version, wrapped_key, password_sealed } of rows) {
        const kept = { keyVersion: key_version, wrappedKey: wrapped_key, sealed: password_sealed };
        const { keyVersion, wrappedKey } = rewrapDocumentPassword(keyring, account_id, kept);
        await tx
          .updateTable("document_passwords")
          .set({ key_version: keyVersion, wrapped_key: wrappedKey })
          .where("account_id", "=", account_id)
          .where("wrapped_key", "=", wrapped_key)
          .execute();
      }
    });
  return { changed: rows.length, last: rows.length < BATCH ? undefined : rows.at(-1)?.account_id };
}

/** Leaves the content alone, so that a batch is small however large its documents are. */
async function rewrapDocuments(store: Store, keyring: Keyring, after: string): Promise<Batch> {
  const rows = await store.read
    .selectFrom("documents")
    .select(["id", "key_version", "wrapped_key"])
    .where("key_version", "<>", keyring.current)
    .where("id", ">", after)
    .orderBy("id")
    .limit(BATCH)
    .execute();
  if (rows.length > 0)
    await store.write(async (tx) => {
      for (const row of rows)
        await tx
          .updateTable("documents")
          .set(rewrappedKey(keyring, row))
          .where("id", "=", row.id)
          .where("wrapped_key", "=", row.wrapped_key)
          .execute();
    });
  return { changed: rows.length, last: rows.length < BATCH ? undefined : rows.at(-1)?.id };
}

/** `rewrap-keys`. */
export const addRewrapKeys: AddCommands = (program, runs) => {
  program
    .command("rewrap-keys")
    .description(
      "move data to the newest key, and say which older keys are still needed (docs/decisions/keys.md)",
    )
    .option("--json", "print the counts as JSON")
    .action(runs(rewrapAndReport));
};

function rewrapAndReport(output: Output, { json }: { readonly json?: true }): Promise<ExitCode> {
  return withOwnDatabase(async (store, keyring) => {
    const { left, exactOnly, ...moved } = await rewrapKeys(store, keyring);
    const older = keyring.versions
      .filter((version) => version !== keyring.current)
      .map((version) => ({ version, left: Object.fromEntries(left.get(version) ?? []) }));
    report(output, json, { current: keyring.current, moved, older, exactOnly }, [
      `Now under key ${keyring.current}: ${moved.customers} policyholders, ${moved.documentPasswords} document passwords, ${moved.documents} documents, ${moved.audit} seals of the audit`,
      ...older.map(({ version, left: rows }) => leftInWords(version, rows)),
      `Spellings: ${exactOnlyInWords(exactOnly) ?? IN_ANY_SPELLING}`,
    ]);
    return EXIT.done;
  });
}

function leftInWords(version: number, left: Readonly<Record<string, number>>): string {
  const rows = Object.entries(left).map(([what, count]) => `${count} ${what}`);
  return rows.length > 0
    ? `Still under key ${version}: ${rows.join(", ")}`
    : `Under key ${version}: nothing left; you can remove it`;
}
