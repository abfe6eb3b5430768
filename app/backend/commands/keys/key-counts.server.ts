import { sql } from "kysely";
import type { Keyring } from "../../secrets/keyring.server";
import type { Store } from "../../store/store.server";
import type { Tables } from "../../store/tables.server";

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
