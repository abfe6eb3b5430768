import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const DOCUMENTS = `documents (
  id text primary key, policy_no text not null references policies (policy_no) on delete cascade,
  kind text not null, name text not null, issued_on text not null, bytes bigint not null,
  content_mac text not null, key_version bigint not null, wrapped_key text not null,
  unique (policy_no, kind, name, issued_on))`;

const DOCUMENT_PARTS = `document_parts (
  document_id text not null references documents (id) on delete cascade, nth bigint not null,
  content_sealed bytea not null,
  primary key (document_id, nth))`;

/**
 * Gives each policy an id for its address, and a product; creates the documents; adds customers' e-mail addresses.
 * Earlier releases add policies without an id, so the database makes one.
 */
export function documents(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run("alter table policies add column product text not null default 'other'");
      for (const statement of inDialect.idsOfPolicies) await sql.raw(statement).execute(db);
      await run("create unique index by_policies_id on policies (id)");
      await run("alter table customers add column email_sealed text");
      await run(`create table ${DOCUMENTS}`);
      await run("create index by_documents_key_version on documents (key_version)");
      await run(`create table ${DOCUMENT_PARTS}`);
    },
  };
}
