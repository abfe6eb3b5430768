import type { Generated } from "kysely";
import type { Announced } from "~/contract/announcements.server";
import type { DocumentKind, Product } from "~/contract/customer-area.server";
import type { FactorKind, Method } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import type { NoticeEvent } from "../services/notices/notice-events.server";
import type { GatewayName } from "../sms/gateway.server";

/**
 * The tables as queries see them. Times are in milliseconds; `sealed` columns are encrypted; `…_hash` and `…_mac`
 * columns are one-way. There are no booleans or dates, so both databases store the same values.
 */
export interface Tables {
  /** Facts about the installation as a whole, one per row. */
  facts: { name: string; value: string };
  customers: {
    id: string;
    kind: CustomerKind;
    name_sealed: string;
    /** The person who acts for a company. */
    representative_sealed: string | null;
    phone_sealed: string;
    pid_sealed: string;
    /** Keyed hash of the personal identifier, for the look-up. */
    pid_index: string;
    /** The same hash of its compared form, so that another spelling finds it. */
    pid_compared_index: string;
    email_sealed: string | null;
    /** The number that messages go to from `new_phone_from` on; null if there is none but `phone_sealed`. */
    new_phone_sealed: string | null;
    new_phone_from: number | null;
    /**
     * Keyed hashes of compared forms, for `account find`; null without a value, or until a row that the release before
     * has added is filled. They may be of an old value.
     */
    name_index: string | null;
    phone_index: string | null;
    new_phone_index: string | null;
    email_index: string | null;
  };
  policies: {
    policy_no: string;
    policy_no_compared: string;
    customer_id: string;
    name: string;
    valid_from: string;
    valid_to: string;
    /** Random, so that the address of the policy's page says nothing about the policy. */
    id: string;
    product: Product;
  };
  documents: {
    id: string;
    policy_no: string;
    kind: Exclude<DocumentKind, "confirmation">;
    name: string;
    issued_on: string;
    /** Length of the content in bytes. */
    bytes: number;
    /** Keyed hash of the content. */
    content_mac: string;
    key_version: number;
    wrapped_key: string;
  };
  /** The content of documents, in order. */
  document_parts: { document_id: string; nth: number; content_sealed: Buffer };
  /**
   * Rows that customers no longer see, and imports must not bring back. A document's row has a kind; a policy's has none.
   */
  taken_back: {
    /** The policy's or document's. */
    id: string;
    /** Who held the policy then. */
    customer_id: string;
    policy_no: string;
    policy_no_compared: string;
    taken_back_at: number;
    kind: Exclude<DocumentKind, "confirmation"> | null;
    name: string | null;
    issued_on: string | null;
    /** Hash of the content under the document's own key; null if that couldn't be read. */
    content_mac: string | null;
    key_version: number | null;
    wrapped_key: string | null;
    /** The policy that took the document along; null if it went alone. */
    with_policy: string | null;
  };
  /** The rest of a row that was taken back, as long as it can be restored. */
  restorable: { id: string; row_sealed: string; ends_at: number };
  restorable_parts: { document_id: string; nth: number; content_sealed: Buffer };
  accounts: {
    id: string;
    customer_id: string;
    username: string;
    /** The form in which usernames are compared. */
    username_key: string;
    password_hash: string;
    pepper_version: number;
    state: AccountState;
    created_at: number;
    /**
     * 1 if the account has a second factor, else 0. It is here because the row is what changes lock: a look at the other
     * tables could come before the lock, and be out of date.
     */
    has_factors: Generated<number>;
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
    /** Hash of the token in the cookie. */
    id: string;
    account_id: string;
    state: SessionState;
    created_at: number;
    last_seen_at: number;
    /** The absolute end, however active the session is. */
    ends_at: number;
    /** Empty if it isn't known. */
    device_name: string;
    /** When a recovery code opened it; null if none did. */
    recovered_at: number | null;
  };
  trusted_devices: {
    id: string;
    account_id: string;
    /** Hash of the newest token. */
    token_hash: string;
    device_name: string;
    trusted_at: number;
    ends_at: number;
    /** Hash of the part that all tokens of the device share; null until the token changes for the first time. */
    family_hash: string | null;
    /** Hash of the token before the newest; it stays good until the newest has been used. */
    earlier_hash: string | null;
  };
  login_passes: {
    browser_hash: string;
    account_id: string;
    id: string;
    key_version: number;
    ends_at: number;
    used_at: number | null;
  };
  /** Browsers in which an account has signed in with a code. */
  known_browsers: {
    /** Hash of the browser's cookie. */
    browser_hash: string;
    account_id: string;
    id: string;
    ends_at: number;
  };
  /** Authenticator apps. */
  factors: {
    id: string;
    account_id: string;
    kind: Exclude<FactorKind, "passkey">;
    name: string;
    added_at: number;
    last_used_at: number | null;
    secret_sealed: string;
    /** The last time step whose code was used (RFC 6238). */
    last_step: number;
  };
  /** Factors that the customer has not confirmed yet: the secret of an app, or what a new passkey has to sign. */
  prepared_factors: {
    account_id: string;
    kind: FactorKind;
    id: string;
    /** The session that prepared it; in another one it doesn't work. */
    session_id: string;
    secret_sealed: string;
    /** Wrong codes so far. */
    tries: number;
    ends_at: number;
    used_at: number | null;
  };
  /** Second factors that a device or a password manager holds the key of. */
  passkeys: {
    id: string;
    account_id: string;
    name: string;
    added_at: number;
    last_used_at: number | null;
    /** Its device's name for it: base64url, and no other account's. */
    credential_id: string;
    /** Its device's name for the account: 32 random bytes, the same for all passkeys of an account. */
    user_handle: string;
    public_key_sealed: string;
    /** How often its device says that it was used; 0 if it doesn't count. */
    counter: number;
    /** 1 if the device last asked who uses it (a PIN, a finger), else 0. */
    user_verified: number;
    /** How browsers reach the device: names of WebAuthn with commas between them. */
    transports: string;
  };
  /** Challenges for passkeys to sign. Each browser has one row for an account and a purpose. */
  passkey_challenges: {
    browser_hash: string;
    account_id: string;
    purpose: Purpose;
    id: string;
    challenge: string;
    ends_at: number;
  };
  /** An account with a factor has a row; without one it has none. */
  factor_settings: {
    account_id: string;
    /** Whether a code by SMS confirms a sign-in or a change of factors. */
    sms: "on" | "off";
    /** The method that confirmed the last sign-in, or was added since. */
    last_method: Exclude<Method, "recovery">;
    /** When the password was reset; null once a factor has confirmed a sign-in since. */
    reset_at: number | null;
    /** The hash of the recovery code. */
    recovery_sealed: string | null;
    recovery_set_at: number | null;
    /** 0 until the customer has shown that the code is written down; then 1. */
    recovery_kept: number;
    /** Wrong codes in unknown browsers since the last right one. */
    wrong_in_row: number;
  };
  codes: {
    /** Hash of the browser's cookie. */
    browser_hash: string;
    /** Whose code it is: an account, a customer, or a keyed hash of details that match no customer. */
    subject: string;
    purpose: Purpose;
    /** New for each code sent. */
    id: string;
    code_mac: string;
    key_version: number;
    state: CodeState;
    /** 0 if the row only counts tries of a factor. */
    sent_at: number;
    /** When the resend link was last clicked; 0 if it never was. */
    resent_at: number;
    ends_at: number;
    /** Wrong tries so far, across resends. */
    tries: number;
    /** Refusals for other reasons than a wrong code, plus confirms that hold the code at the moment. */
    refusals: number;
    used_at: number | null;
    /** Keyed hash of the confirm that used the code. */
    payload_mac: string | null;
  };
  attempts: {
    subject: string;
    tries: number;
    /** Goes up whenever counting starts over. */
    run: number;
    /** How many blocks there have been: each lasts longer. */
    level: number;
    blocked_until: number;
    started_at: number;
    last_at: number;
  };
  windows: { bucket: string; count: number; ends_at: number };
  /** Messages waiting for the gateway. */
  sms_queue: {
    id: string;
    /** Empty in a decoy, which is written and dropped. */
    recipient_sealed: string;
    text_sealed: string;
    purpose: Purpose | "notice";
    /** The request that caused it. */
    request_id: string;
    /** Delivery attempts so far, including the one under way. */
    tries: number;
    /** When the next attempt is due; while a message is being sent, when its claim expires. */
    due_at: number;
    sent_at: number;
    /** When the code expires, or the notice is too old to send. */
    ends_at: number;
  };
  /** E-mails waiting for the mail server. They say what happened and to whom; text and address are found when sending. */
  mail_queue: {
    id: string;
    /** Null in a decoy, which is written and dropped. */
    customer_id: string | null;
    event: NoticeEvent;
    /** The request that caused it. */
    request_id: string;
    tries: number;
    /** As in `sms_queue`. */
    due_at: number;
    /** When it was written, which is when the event happened. */
    sent_at: number;
    ends_at: number;
  };
  /** The outcome of each text message and e-mail, without its text and its address. */
  messages: {
    /** That of its row in `sms_queue`, `mail_queue` or `outbox`. */
    id: string;
    /** Null in a decoy. */
    customer_id: string | null;
    purpose: MessagePurpose;
    state: MessageState;
    /** Why the gateway refused it, or why the last attempt failed, in our words. */
    reason: string | null;
    gateway: MessageGateway | null;
    /** The gateway's id for it; null if it gives none. */
    gateway_id: string | null;
    written_at: number;
    /** When it came into its state. */
    changed_at: number;
  };
  /** The demo's messages; `recipient_sealed` is empty in a decoy. */
  outbox: { id: string; recipient_sealed: string; text_sealed: string; sent_at: number };
  audit_events: {
    /** Grows with each event; on PostgreSQL, 0 for events from before there was a sequence. */
    seq: Generated<number>;
    id: string;
    happened_at: number;
    event: string;
    account_id: string | null;
    /** If there is no account: a customer, or a keyed hash of what was typed. */
    subject: string | null;
    purpose: Purpose | null;
    address: string;
    request_id: string;
    /** Empty if it isn't known. */
    device_name: string;
    /** Which member of the insurer's staff did it, and why; null if a customer did. */
    operator: string | null;
    reason: string | null;
    /** The event's hash from before the person's data was erased. */
    erased_hash: string | null;
  };
  /** Each seal vouches for the events up to its last one, and for all seals before it. */
  audit_seals: {
    /** 1, 2, 3 … */
    no: number;
    /** The `seq` of the last event; the first follows the seal before. */
    through_seq: number;
    events: number;
    events_hash: string;
    /** A hash over this seal and all before it. */
    chain_hash: string;
    key_version: number;
    seal_mac: string;
    sealed_at: number;
  };
  /** Months of events that are in files now. */
  audit_archives: {
    /** `2026-11`, UTC. */
    month: string;
    file: string;
    events: number;
    /** The largest `seq` in the file. */
    through_seq: number;
    file_sha256: string;
    key_version: number;
    archive_mac: string;
    archived_at: number;
  };
  /** Announcements of operators to all customers: at most one row of each kind. */
  announcements: {
    kind: keyof Announced;
    /** Empty for maintenance, as the other one. */
    text_pl: string;
    text_en: string;
    ends_at: number;
  };
  /** When each job that runs beside the portals last succeeded. */
  job_successes: { job: "purge" | "backup" | "import" | "follow"; succeeded_at: number };
  /** Portals that share the database, by machine and port: how far each clock is ahead of the database's, and since when. */
  portal_clocks: { portal: string; ahead_ms: number; seen_at: number };
}

/** The purpose of a message: a code, a notice by SMS, or a notice by e-mail. */
export type MessagePurpose = Purpose | "notice" | "mail-notice";
/** The gateway that took a message, or was asked to. */
export type MessageGateway = GatewayName | "smtp";
/** The outcome of a message; `given-up`: its time was over before the gateway took it. */
export type MessageState = "waiting" | "accepted" | "refused" | "given-up";

/** The customer types of specification §3. */
export type CustomerKind = "individual" | "no-id" | "company";
/** States set by a person. A timed lock is not one of them: it is counted in `attempts`. */
export type AccountState = "active" | "locked" | "expired" | "disabled";
/** `pending`: the password was right, but the device is not trusted and the code is missing. */
export type SessionState = "pending" | "active";
/** `blocked`: too many wrong tries or refusals. */
type CodeState = "open" | "blocked" | "used";
