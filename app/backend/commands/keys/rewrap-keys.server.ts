import { rewrapDocumentPassword } from "../../secrets/data-key.server";
import type { Keyring } from "../../secrets/keyring.server";
import { rewrappedColumns } from "../../services/accounts/write-customer.server";
import { countExactOnly, fillPolicies, type ExactOnly } from "../../services/accounts/compared-forms.server";
import { rewrapAudit } from "../../services/audit/rewrap-audit.server";
import { rewrappedKey } from "../../services/documents/write-documents.server";
import { keepKeyVersions } from "../../store/key-check.server";
import type { Store } from "../../store/store.server";
import { EXIT, type ExitCode } from "../kit/exit-code.server";
import { report, type Output } from "../kit/output.server";
import { withOwnDatabase } from "../kit/portal-database.server";
import type { AddCommands } from "../kit/runs.server";
import { IN_ANY_SPELLING, exactOnlyInWords } from "../kit/exact-only-in-words.server";
import { countByVersion, type KeyCounts } from "./key-counts.server";

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
