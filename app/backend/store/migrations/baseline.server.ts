import { sql, type Kysely, type Migration } from "kysely";
import type { OnDatabase } from "../store.server";

/** Translates a statement written with PostgreSQL's types into the dialect in use. */
export interface InDialect extends OnDatabase {
  (statement: string): string;
  /** The column of a policy's id, which is random in a row that is inserted without one. */
  readonly policyId: string;
  /** Gives policies these ids, if the column can't. */
  readonly policyIds: readonly string[];
  /** Makes the audit, whose events are numbered in order. On PostgreSQL it is partitioned by month. */
  readonly audit: readonly string[];
}

const tablesOfCustomers = ({ policyId }: InDialect) => [
  `customers (
    id text primary key, kind text not null,
    name_sealed text not null, representative_sealed text, phone_sealed text not null,
    pid_sealed text not null, pid_index text not null, email_sealed text, pid_compared_index text,
    new_phone_sealed text, new_phone_from bigint,
    name_index text, phone_index text, new_phone_index text, email_index text)`,
  `policies (
    policy_no text primary key, customer_id text not null references customers (id),
    name text not null, valid_from text not null, valid_to text not null, product text not null default 'other',
    ${policyId}, policy_no_compared text, premium_sealed text, changed_on text)`,
  `documents (
    id text primary key, policy_no text not null references policies (policy_no) on delete cascade,
    kind text not null, name text not null, issued_on text not null, bytes bigint not null,
    content_mac text not null, key_version bigint not null, wrapped_key text not null,
    unique (policy_no, kind, name, issued_on))`,
  `document_parts (
    document_id text not null references documents (id) on delete cascade, nth bigint not null,
    content_sealed bytea not null,
    primary key (document_id, nth))`,
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
  // A customer has at most one request of each act, so that a doubled press asks once.
  `staff_requests (
    id text primary key, customer_id text not null references customers (id) on delete cascade,
    act text not null, asker text not null, operator text not null, reason text not null, seen text not null,
    ends_at bigint not null, unique (customer_id, act))`,
];

const TABLES_OF_ACCOUNTS = [
  `accounts (
    id text primary key, customer_id text not null unique references customers (id),
    username text not null, username_key text not null unique,
    password_hash text not null, pepper_version bigint not null,
    state text not null, created_at bigint not null, has_factors bigint not null default 0,
    passkey_user_handle text)`,
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
    state text not null, created_at bigint not null, last_seen_at bigint not null, ends_at bigint not null,
    device_name text not null default '', recovered_at bigint)`,
  `trusted_devices (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    token_hash text not null unique, device_name text not null, trusted_at bigint not null, ends_at bigint not null,
    family_hash text, earlier_hash text, browser_hash text)`,
  `known_browsers (
    browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
    id text not null unique, ends_at bigint not null,
    primary key (browser_hash, account_id))`,
  `login_passes (
    browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
    id text not null unique, key_version bigint not null, ends_at bigint not null, used_at bigint,
    primary key (browser_hash, account_id))`,
  `factors (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    kind text not null, name text not null, added_at bigint not null, last_used_at bigint,
    secret_sealed text not null, last_step bigint not null)`,
  `prepared_factors (
    account_id text not null references accounts (id) on delete cascade, kind text not null,
    id text not null unique, session_id text not null references sessions (id) on delete cascade,
    secret_sealed text not null, tries bigint not null, ends_at bigint not null, used_at bigint,
    primary key (account_id, kind))`,
  `factor_settings (
    account_id text primary key references accounts (id) on delete cascade,
    sms text not null, last_method text not null, reset_at bigint,
    recovery_sealed text, recovery_set_at bigint,
    wrong_in_row bigint not null default 0, recovery_kept bigint not null default 1)`,
  `passkeys (
    id text primary key, account_id text not null references accounts (id) on delete cascade,
    name text not null, added_at bigint not null, last_used_at bigint,
    credential_id text not null unique, user_handle text not null, public_key_sealed text not null,
    counter bigint not null, user_verified bigint not null, transports text not null,
    discoverable bigint, backup_eligible bigint, backed_up bigint, aaguid text)`,
  `passkey_challenges (
    browser_hash text not null, account_id text not null references accounts (id) on delete cascade,
    purpose text not null, id text not null unique, challenge text not null, ends_at bigint not null,
    primary key (browser_hash, account_id, purpose))`,
];

const OTHER_TABLES = [
  `facts (name text primary key, value text not null)`,
  `codes (
    browser_hash text not null, subject text not null, purpose text not null,
    id text not null unique, code_mac text not null, key_version bigint not null, state text not null,
    sent_at bigint not null, ends_at bigint not null, tries bigint not null, refusals bigint not null,
    used_at bigint, payload_mac text, resent_at bigint not null default 0,
    primary key (browser_hash, subject, purpose))`,
  `passkey_sign_ins (
    browser_hash text not null, slot bigint not null, id text not null unique, challenge text not null unique,
    ends_at bigint not null, used_at bigint, answer_hash text,
    primary key (browser_hash, slot))`,
  `attempts (
    subject text primary key, tries bigint not null, run bigint not null, level bigint not null,
    blocked_until bigint not null, started_at bigint not null, last_at bigint not null)`,
  `windows (bucket text primary key, count bigint not null, ends_at bigint not null)`,
  `messages (
    id text primary key, customer_id text, purpose text not null, state text not null, reason text,
    gateway text, gateway_id text, written_at bigint not null, changed_at bigint not null,
    recipient_sealed text, text_sealed text, event text, request_id text, tries bigint, due_at bigint, ends_at bigint)`,
  `outbox (
    id text primary key, recipient_sealed text not null, text_sealed text not null, sent_at bigint not null)`,
  `sms_queue (
    id text primary key, recipient_sealed text not null, text_sealed text not null,
    purpose text not null, request_id text not null, tries bigint not null,
    due_at bigint not null, sent_at bigint not null, ends_at bigint not null)`,
  `mail_queue (
    id text primary key, customer_id text, event text not null, request_id text not null, tries bigint not null,
    due_at bigint not null, sent_at bigint not null, ends_at bigint not null)`,
  `announcements (
    kind text primary key, text_pl text not null, text_en text not null, ends_at bigint not null)`,
  "job_successes (job text primary key, succeeded_at bigint not null)",
  "portal_clocks (portal text primary key, ahead_ms bigint not null, seen_at bigint not null)",
  `audit_seals (
    no bigint primary key, through_seq bigint not null, events bigint not null, events_hash text not null,
    chain_hash text not null, key_version bigint not null, seal_mac text not null, sealed_at bigint not null)`,
  `audit_archives (
    month text primary key, file text not null, events bigint not null, through_seq bigint not null,
    file_sha256 text not null, key_version bigint not null, archive_mac text not null, archived_at bigint not null)`,
];

/** One for each foreign key, for each column that the purge filters by, and for the look-ups. */
const INDEXES = [
  "index by_customers_pid_index on customers (pid_index)",
  // Most identifiers have no separators, so that the first index finds them: a second of all would slow imports.
  `index by_customers_pid_compared_index on customers (pid_compared_index, id)
    where pid_compared_index <> pid_index or pid_compared_index is null`,
  "index by_customers_name_index on customers (name_index, id)",
  "index by_customers_phone_index on customers (phone_index)",
  "index by_customers_new_phone_index on customers (new_phone_index) where new_phone_index is not null",
  "index by_customers_email_index on customers (email_index) where email_index is not null",
  "index by_policies_customer_id on policies (customer_id)",
  "unique index by_policies_id on policies (id)",
  "index by_policies_policy_no_compared on policies (policy_no_compared, policy_no)",
  "index by_documents_key_version on documents (key_version)",
  "index by_taken_back_customer_id on taken_back (customer_id)",
  "index by_taken_back_policy_no_compared on taken_back (policy_no_compared)",
  "index by_taken_back_with_policy on taken_back (with_policy)",
  "index by_restorable_ends_at on restorable (ends_at)",
  "index by_staff_requests_ends_at on staff_requests (ends_at)",
  "index by_password_history_account_id_replaced_at on password_history (account_id, replaced_at)",
  "index by_username_changes_account_id_changed_at on username_changes (account_id, changed_at)",
  "index by_username_changes_changed_at on username_changes (changed_at)",
  "index by_sessions_account_id on sessions (account_id)",
  "index by_sessions_last_seen_at on sessions (last_seen_at)",
  "index by_trusted_devices_account_id on trusted_devices (account_id)",
  "index by_trusted_devices_ends_at on trusted_devices (ends_at)",
  "unique index by_trusted_devices_family_hash on trusted_devices (family_hash)",
  "index by_known_browsers_account_id on known_browsers (account_id)",
  "index by_known_browsers_ends_at on known_browsers (ends_at)",
  "index by_login_passes_account_id on login_passes (account_id)",
  "index by_login_passes_ends_at on login_passes (ends_at)",
  "index by_factors_account_id on factors (account_id)",
  "index by_prepared_factors_session_id on prepared_factors (session_id)",
  "index by_prepared_factors_ends_at on prepared_factors (ends_at)",
  "index by_passkeys_account_id on passkeys (account_id)",
  "index by_passkey_challenges_account_id on passkey_challenges (account_id)",
  "index by_passkey_challenges_ends_at on passkey_challenges (ends_at)",
  "index by_passkey_sign_ins_ends_at on passkey_sign_ins (ends_at)",
  "index by_codes_ends_at on codes (ends_at)",
  "index by_attempts_last_at on attempts (last_at)",
  "index by_windows_ends_at on windows (ends_at)",
  "index by_messages_customer_id on messages (customer_id)",
  "index by_messages_written_at on messages (written_at)",
  "index by_messages_waiting on messages (purpose, due_at) where due_at is not null",
  `index by_messages_waiting_codes on messages (due_at)
    where due_at is not null and purpose <> 'notice' and purpose <> 'mail-notice'`,
  "index by_outbox_sent_at on outbox (sent_at)",
  "index by_sms_queue_due_at on sms_queue (due_at)",
  "index by_sms_queue_codes on sms_queue (due_at) where purpose <> 'notice'",
  "index by_mail_queue_due_at on mail_queue (due_at)",
  "index by_mail_queue_customer_id on mail_queue (customer_id)",
  // Strangers can add any number of refused sign-ins to an account; its activity must load as fast all the same.
  "index by_audit_events_account_id_event_happened_at on audit_events (account_id, event, happened_at)",
  "index by_audit_events_subject on audit_events (subject) where subject is not null",
];

/**
 * Makes the tables as the previous release leaves them. It runs on an empty database only, since older tables are refused. The
 * statements are compared, token by token, with those in existing SQLite files.
 */
export function baseline(inDialect: InDialect): Migration {
  const tables = [...tablesOfCustomers(inDialect), ...TABLES_OF_ACCOUNTS, ...OTHER_TABLES];
  const statements = [
    ...tables.map((table) => `create table ${table}`),
    ...inDialect.audit,
    ...inDialect.policyIds,
    ...INDEXES.map((index) => `create ${index}`),
  ];
  return {
    async up(db: Kysely<unknown>): Promise<void> {
      for (const statement of statements) await sql.raw(inDialect(statement)).execute(db);
    },
  };
}
