import { sql, type Kysely, type Migration } from "kysely";
import type { InDialect } from "./0001-sign-in.server";

const AUDIT_SEALS = `audit_seals (
  no bigint primary key, through_seq bigint not null, events bigint not null, events_hash text not null,
  chain_hash text not null, key_version bigint not null, seal_mac text not null, sealed_at bigint not null)`;

const AUDIT_ARCHIVES = `audit_archives (
  month text primary key, file text not null, events bigint not null, through_seq bigint not null,
  file_sha256 text not null, key_version bigint not null, archive_mac text not null, archived_at bigint not null)`;

/**
 * Numbers the audit's events, and adds an event's operator and reason, seals, archives and erased events. Earlier
 * releases add events without these columns, so each has a default.
 */
export function auditSeals(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      const run = (statement: string) => sql.raw(inDialect(statement)).execute(db);
      await run(`create table ${AUDIT_SEALS}`);
      await run(`create table ${AUDIT_ARCHIVES}`);
      for (const statement of inDialect.sequenceOfAudit) await sql.raw(statement).execute(db);
      for (const column of ["operator", "reason", "erased_hash"])
        await run(`alter table audit_events add column ${column} text`);
      await run("create index by_audit_events_subject on audit_events (subject) where subject is not null");
    },
  };
}
