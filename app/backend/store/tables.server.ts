import type { Purpose } from "~/contract/purposes";

/**
 * The tables, as queries see them. Times are milliseconds; `sealed` columns are encrypted, `…_hash` and `…_mac`
 * columns cannot be turned back. No booleans and no dates: both dialects then store the same values.
 */
export interface Tables {
  /** What belongs to the installation as a whole: one row per fact. */
  facts: { name: string; value: string };
  customers: {
    id: string;
    kind: CustomerKind;
    name_sealed: string;
    /** Who acts for a company. */
    representative_sealed: string | null;
    phone_sealed: string;
    pid_sealed: string;
    /** Keyed hash of the personal identifier, for the look-up. */
    pid_index: string;
  };
  policies: {
    policy_no: string;
    customer_id: string;
    name: string;
    valid_from: string;
    valid_to: string;
  };
  accounts: {
    id: string;
    customer_id: string;
    username: string;
    /** What usernames are compared by. */
    username_key: string;
    password_hash: string;
    pepper_version: number;
    state: AccountState;
    created_at: number;
  };
  password_history: {
    id: string;
    account_id: string;
    password_hash: string;
    pepper_version: number;
    replaced_at: number;
  };
  username_changes: { id: string; account_id: string; changed_at: number };
  document_passwords: {
    account_id: string;
    key_version: number;
    wrapped_key: string;
    password_sealed: string;
    changed_at: number;
  };
  sessions: {
    /** Hash of the token that the cookie carries. */
    id: string;
    account_id: string;
    state: SessionState;
    created_at: number;
    last_seen_at: number;
    /** The absolute end. */
    ends_at: number;
  };
  trusted_devices: {
    id: string;
    account_id: string;
    token_hash: string;
    device_name: string;
    trusted_at: number;
    ends_at: number;
  };
  login_passes: {
    browser_hash: string;
    account_id: string;
    id: string;
    key_version: number;
    ends_at: number;
    used_at: number | null;
  };
  codes: {
    /** Hash of the browser's cookie. */
    browser_hash: string;
    /** Whose code it is: an account, a customer, or a keyed hash of data that belongs to nobody. */
    subject: string;
    purpose: Purpose;
    /** New with each code that is sent. */
    id: string;
    code_mac: string;
    key_version: number;
    state: CodeState;
    sent_at: number;
    ends_at: number;
    /** Wrong tries so far, a resend included. */
    tries: number;
    /** Refusals of a right code for other reasons. */
    refusals: number;
    used_at: number | null;
    /** Keyed hash of the confirm that used it. */
    payload_mac: string | null;
  };
  attempts: {
    subject: string;
    tries: number;
    /** Changes whenever the counting starts again. */
    run: number;
    /** How many blocks there were: the next one lasts longer. */
    level: number;
    blocked_until: number;
    started_at: number;
    last_at: number;
  };
  windows: { bucket: string; count: number; ends_at: number };
  /** Messages on their way to the gateway. */
  sms_queue: {
    id: string;
    recipient_sealed: string;
    text_sealed: string;
    purpose: Purpose;
    /** The request that caused it. */
    request_id: string;
    /** Attempts so far, the one under way included. */
    tries: number;
    /** The next attempt: of a message that is being sent, the end of the claim. */
    due_at: number;
    sent_at: number;
    /** The end of the code. */
    ends_at: number;
  };
  /** The demo's messages. */
  outbox: { id: string; recipient_sealed: string; text_sealed: string; sent_at: number };
  audit_events: {
    id: string;
    happened_at: number;
    event: string;
    account_id: string | null;
    /** Where there is no account: a customer, or a keyed hash of what was typed. */
    subject: string | null;
    purpose: Purpose | null;
    address: string;
    request_id: string;
  };
}

/** Customer types of specification §3. */
export type CustomerKind = "individual" | "no-id" | "company";
/** States that a person sets. A timed lock is not one of them: it is counted in `attempts`. */
export type AccountState = "active" | "locked" | "expired" | "disabled";
/** `pending`: the password was right, the device is not recognised. */
export type SessionState = "pending" | "active";
/** `blocked`: too many wrong tries or refusals. */
export type CodeState = "open" | "blocked" | "used";
