import { sql, type Kysely, type Migration } from "kysely";
import type { OnDatabase } from "../store.server";

/** Translates a statement written with PostgreSQL's types into the dialect in use. */
export interface InDialect extends OnDatabase {
  (statement: string): string;
  /** Adds random ids to existing policies, and to new ones that are inserted without an id. */
  readonly idsOfPolicies: readonly string[];
  /** Numbers the audit's events in order. On PostgreSQL it also partitions the audit by month. */
  readonly sequenceOfAudit: readonly string[];
}

const TABLES = [
  `facts (name text primary key, value text not null)`,
  `customers (
    id text primary key, kind text not null,
    name_sealed text not null, representative_sealed text, phone_sealed text not null,
    pid_sealed text not null, pid_index text not null)`,
  `policies (
    policy_no text primary key, customer_id text not null references customers (id),
    name text not null, valid_from text not null, valid_to text not null)`,
  `accounts (
    id text primary key, customer_id text not null unique references customers (id),
    username text not null, username_key text not null unique,
    password_hash text not null, pepper_version bigint not null,
    state text not null, created_at bigint not null)`,
  `password_history (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    password_hash text not null, pepper_version bigint not null, replaced_at bigint not null)`,
  `username_changes (
    id text primary key, account_id text not null references accounts (id) on delete cascade, changed_at bigint not null)`,
  `document_passwords (
    account_id text primary key references accounts (id) on delete cascade, key_version bigint not null,
    wrapped_key text not null, password_sealed text not null, changed_at bigint not null)`,
  `sessions (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    state text not null, created_at bigint not null, last_seen_at bigint not null, ends_at bigint not null)`,
  `trusted_devices (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    token_hash text not null unique, device_name text not null, trusted_at bigint not null, ends_at bigint not null)`,
  `codes (
    browser_hash text not null, subject text not null, purpose text not null,
    id text not null unique, code_mac text not null, key_version bigint not null, state text not null,
    sent_at bigint not null, ends_at bigint not null, tries bigint not null, refusals bigint not null,
    used_at bigint, payload_mac text,
    primary key (browser_hash, subject, purpose))`,
  `attempts (
    subject text primary key, tries bigint not null, run bigint not null, level bigint not null,
    blocked_until bigint not null, started_at bigint not null, last_at bigint not null)`,
  `windows (bucket text primary key, count bigint not null, ends_at bigint not null)`,
  `outbox (
    id text primary key, recipient_sealed text not null, text_sealed text not null, sent_at bigint not null)`,
  `audit_events (
    id text primary key, happened_at bigint not null, event text not null, account_id text, subject text,
    purpose text, address text not null, request_id text not null)`,
];

/** One index for each foreign key and for each column the purge filters by. */
const INDEXES = [
  "customers (pid_index)",
  "policies (customer_id)",
  "password_history (account_id, replaced_at)",
  "username_changes (account_id, changed_at)",
  "sessions (account_id)",
  "sessions (last_seen_at)",
  "trusted_devices (account_id)",
  "trusted_devices (ends_at)",
  "codes (ends_at)",
  "attempts (last_at)",
  "windows (ends_at)",
  "outbox (sent_at)",
  "audit_events (account_id, happened_at)",
];

/** Creates the tables for sign-in. */
export function signIn(inDialect: InDialect): Migration {
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const table of TABLES) await sql.raw(inDialect(`create table ${table}`)).execute(db);
      for (const index of INDEXES) await sql.raw(`create index ${indexName(index)} on ${index}`).execute(db);
    },
  };
}

function indexName(index: string): string {
  return `by_${index.replaceAll(/[^a-z_]+/g, "_").replace(/_$/, "")}`;
}
