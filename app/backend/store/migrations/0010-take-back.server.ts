import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const TABLES = [
  `taken_back (
    id text primary key, customer_id text not null references customers (id) on delete cascade,
    policy_no text not null, policy_no_compared text not null, taken_back_at bigint not null,
    kind text, name text, issued_on text, content_mac text, key_version bigint, wrapped_key text,
    with_policy text)`,
  `restorable (
    id text primary key references taken_back (id) on delete cascade,
    row_sealed text not null, ends_at bigint not null)`,
  `restorable_parts (
    document_id text not null references restorable (id) on delete cascade, nth bigint not null,
    content_sealed bytea not null,
    primary key (document_id, nth))`,
];
const INDEXES = [
  "by_taken_back_customer_id on taken_back (customer_id)",
  "by_taken_back_policy_no_compared on taken_back (policy_no_compared)",
  "by_taken_back_with_policy on taken_back (with_policy)",
  "by_restorable_ends_at on restorable (ends_at)",
];

/** Creates the tables of what was taken back from customers. */
export function takeBack(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      for (const table of TABLES) await run(`create table ${table}`);
      for (const index of INDEXES) await run(`create index ${index}`);
    },
  };
}
