import {
  CODES_INSIDE,
  type Column,
  type Entry,
  KEY,
  KEY_NUMBER,
  type Keyed,
  LINK,
  moment,
  NO_ONES,
  ONE_WAY,
  OWN_ID,
  PASSWORD,
  plain,
  sealed,
  TOKEN,
  under,
  without,
  words,
} from "./registry-entry.server";
import type { Tables } from "./tables.server";

const OF_CUSTOMER = {
  of: "customer",
  kept: () => "until the insurer changes or deletes it, or the person's data is erased",
  erasure: "deletes unless insured",
} as const;
const OF_ACCOUNT = { of: "account", erasure: { goesWith: "accounts" } } as const;
const OF_DETAILS = { of: "details", erasure: "deletes", expires: true } as const;
const OF_NOBODY = { of: "nobody", as: null, kept: () => "as long as the database" } as const;

/**
 * Every table and column: whose it is, how long it is kept, what an erasure does to it, how an export shows it, and
 * which key it needs. Export, erasure, the counts by key, `rewrap-keys` and docs/operations/retention.md derive from
 * it, and the purge must have a condition for each table that `expires`. A table or column of `Tables` that is missing
 * here is a type error; one of a migration that is missing in both fails a test. Exports are in this order.
 */
export const REGISTRY = {
  customers: {
    ...OF_CUSTOMER,
    as: "customer",
    about: "The policyholder, as the insurer's systems know them.",
    columns: {
      id: plain("id"),
      kind: plain("kind"),
      name_sealed: sealed("name"),
      representative_sealed: sealed("representative"),
      phone_sealed: sealed("phone"),
      pid_sealed: sealed("personalIdentifier"),
      pid_index: under("prefix", ONE_WAY),
      pid_compared_index: under("prefix", ONE_WAY),
      email_sealed: sealed("email"),
    },
  },
  policies: {
    ...OF_CUSTOMER,
    as: "policies",
    about: "The policies that the portal shows.",
    columns: {
      policy_no: plain("policyNumber"),
      policy_no_compared: without("the number again, without spaces and hyphens"),
      customer_id: LINK,
      name: plain("name"),
      valid_from: plain("validFrom"),
      valid_to: plain("validTo"),
      id: plain("addressOfItsPage"),
      product: plain("product"),
    },
  },
  documents: {
    ...OF_CUSTOMER,
    as: "documents",
    about: "The documents of the policies. Each is in the folder documents, as a PDF named by its id.",
    columns: {
      id: plain("id"),
      policy_no: plain("policyNumber"),
      kind: plain("kind"),
      name: plain("name"),
      issued_on: plain("issuedOn"),
      bytes: plain("bytes"),
      content_mac: under("rewritten", ONE_WAY),
      key_version: KEY_NUMBER,
      wrapped_key: under("row", "an encryption key"),
    },
  },
  document_parts: {
    ...OF_CUSTOMER,
    as: null,
    about: "The content of the documents, which an export has as files.",
    erasure: { goesWith: "documents" },
    columns: {
      document_id: LINK,
      nth: without("a place in the order"),
      content_sealed: under("row", "a file"),
    },
  },
  codes: {
    ...OF_DETAILS,
    as: "oneTimeCodes",
    about: "The last codes that were asked for with the person's details.",
    kept: () => "a day after they expire; used ones a few seconds",
    remark: ({ CONFIRM_REPEAT_SECONDS }) =>
      `wrong tries count until then; the few seconds are ${CONFIRM_REPEAT_SECONDS}`,
    setBy: ["CODE_LIFETIME_SECONDS", "CONFIRM_REPEAT_SECONDS"],
    columns: {
      browser_hash: without(ONE_WAY),
      subject: LINK,
      purpose: plain("purpose"),
      id: OWN_ID,
      code_mac: under("row", "a code can't be read, and opens the account while it is valid"),
      key_version: KEY_NUMBER,
      state: plain("state"),
      sent_at: moment("askedForAt"),
      resent_at: moment("askedForAgainAt"),
      ends_at: moment("expiresAt"),
      tries: plain("wrongTries"),
      refusals: plain("refusals"),
      used_at: moment("usedAt"),
      payload_mac: under("row", ONE_WAY),
    },
  },
  attempts: {
    ...OF_DETAILS,
    as: "wrongTriesAndLocks",
    about: "How many passwords or codes were wrong, and until when that locks something.",
    kept: ({ LOCK_FORGOTTEN_SECONDS }) =>
      `${LOCK_FORGOTTEN_SECONDS / 3600} hours from the last try, at least a day, and until the lock ends`,
    setBy: ["LOCK_FORGOTTEN_SECONDS"],
    columns: {
      subject: words("of"),
      tries: plain("wrongTries"),
      run: without("how often counting has started over"),
      level: plain("locksSoFar"),
      blocked_until: moment("lockedUntil"),
      started_at: moment("firstTryAt"),
      last_at: moment("lastTryAt"),
    },
  },
  windows: {
    ...OF_DETAILS,
    as: "countsOfRequests",
    about: "How often something was asked for with the person's details, against abuse.",
    kept: () => "until the count ends: 10 minutes, an hour or a day",
    remark: () => "counts by address name no account, and end after 10 minutes",
    columns: { bucket: words("of"), count: plain("count"), ends_at: moment("endsAt") },
  },
  sms_queue: {
    ...OF_DETAILS,
    as: "waitingMessages",
    about: "Text messages to the person's number that are not delivered yet.",
    kept: () => "until they are delivered; a code at most until it expires, a notice for a day",
    remark: () => "an hour more without a sender",
    setBy: ["CODE_LIFETIME_SECONDS", "SMS_NOTICE_SECONDS"],
    columns: {
      id: OWN_ID,
      recipient_sealed: sealed("to"),
      text_sealed: under("prefix", CODES_INSIDE),
      purpose: plain("purpose"),
      request_id: plain("requestId"),
      tries: plain("attemptsToDeliver"),
      due_at: moment("nextAttemptAt"),
      sent_at: moment("writtenAt"),
      ends_at: moment("tooLateAt"),
    },
  },
  outbox: {
    ...OF_DETAILS,
    as: "demoMessages",
    about: "Messages to the person's number that a demo shows instead of sending them.",
    kept: () => "a day",
    columns: {
      id: OWN_ID,
      recipient_sealed: sealed("to"),
      text_sealed: under("prefix", CODES_INSIDE),
      sent_at: moment("writtenAt"),
    },
  },
  audit_events: {
    of: "details",
    as: "activity",
    about: "What happened to the account and with the person's details, when, and from which address.",
    kept: () => "for as long as the operator keeps the audit",
    remark: ({ ACTIVITY_DAYS, ACTIVITY_EVENTS }) =>
      `whole months in the database, then in files; customers see ${ACTIVITY_DAYS} days, ${ACTIVITY_EVENTS} events`,
    setBy: ["AUDIT_KEEP_MONTHS", "ACTIVITY_DAYS", "ACTIVITY_EVENTS"],
    erasure: {
      empties: {
        ...{ account_id: null, subject: null, purpose: null, address: "", request_id: "" },
        ...{ device_name: "", operator: null, reason: null },
      },
      because: "what happened and when stays, with a hash that the seals need",
    },
    columns: {
      seq: without("a place in the order"),
      id: plain("id"),
      happened_at: moment("at"),
      event: plain("event"),
      account_id: LINK,
      subject: LINK,
      purpose: plain("purpose"),
      address: plain("address"),
      request_id: plain("requestId"),
      device_name: plain("deviceName"),
      operator: without("the name of another person, who acted for the insurer"),
      reason: plain("reasonOfTheStaff"),
      erased_hash: under("prefix", "erased events are no one's"),
    },
  },
  accounts: {
    of: "account",
    as: "account",
    about: "The account in the portal.",
    kept: () => "until it is erased",
    erasure: "deletes",
    columns: {
      id: plain("id"),
      customer_id: LINK,
      username: plain("username"),
      username_key: without("the username once more, in small letters"),
      password_hash: PASSWORD,
      pepper_version: under("version", KEY),
      state: plain("state"),
      created_at: moment("registeredAt"),
    },
  },
  password_history: {
    ...OF_ACCOUNT,
    as: "earlierPasswords",
    about: "When earlier passwords were replaced. Their hashes are kept so that they aren't used again.",
    kept: ({ PASSWORD_HISTORY }) => `the last ${PASSWORD_HISTORY}`,
    remark: ({ PASSWORD_HISTORY }) =>
      `the current one among them, so ${PASSWORD_HISTORY - 1} rows of an account`,
    setBy: ["PASSWORD_HISTORY"],
    columns: {
      id: OWN_ID,
      account_id: LINK,
      password_hash: PASSWORD,
      pepper_version: under("version", KEY),
      replaced_at: moment("replacedAt"),
    },
  },
  username_changes: {
    ...OF_ACCOUNT,
    as: "usernameChanges",
    about: "When the username was changed. Earlier usernames are not kept.",
    kept: ({ USERNAME_CHANGE_DAYS }) => `${USERNAME_CHANGE_DAYS} days`,
    setBy: ["USERNAME_CHANGE_DAYS"],
    expires: true,
    columns: { id: OWN_ID, account_id: LINK, changed_at: moment("changedAt") },
  },
  document_passwords: {
    ...OF_ACCOUNT,
    as: "documentPassword",
    about: "If there is one, a document password is set.",
    kept: () => "until the person changes it, or the account is erased",
    columns: {
      account_id: LINK,
      key_version: under("version", KEY),
      wrapped_key: under("row", KEY),
      password_sealed: under("row", "it opens the person's documents, and they know it"),
      changed_at: moment("setAt"),
    },
  },
  sessions: {
    ...OF_ACCOUNT,
    as: "sessions",
    about: "Where the person is signed in.",
    kept: ({ SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS }) =>
      `${SESSION_IDLE_SECONDS / 60} minutes from the last request, ${SESSION_MAX_SECONDS / 3600} hours at most`,
    setBy: ["SESSION_IDLE_SECONDS", "SESSION_MAX_SECONDS"],
    expires: true,
    columns: {
      id: TOKEN,
      account_id: LINK,
      state: plain("state"),
      created_at: moment("startedAt"),
      last_seen_at: moment("lastSeenAt"),
      ends_at: moment("endsAt"),
      device_name: plain("deviceName"),
    },
  },
  trusted_devices: {
    ...OF_ACCOUNT,
    as: "trustedDevices",
    about: "Devices on which a sign-in needs no code.",
    kept: ({ TRUSTED_DEVICE_DAYS }) => `${TRUSTED_DEVICE_DAYS} days from the day of trust`,
    setBy: ["TRUSTED_DEVICE_DAYS"],
    expires: true,
    columns: {
      id: OWN_ID,
      account_id: LINK,
      token_hash: TOKEN,
      device_name: plain("deviceName"),
      trusted_at: moment("trustedAt"),
      ends_at: moment("trustedUntil"),
      family_hash: TOKEN,
      earlier_hash: TOKEN,
    },
  },
  login_passes: {
    ...OF_ACCOUNT,
    as: "signInPasses",
    about: "After a password reset one sign-in needs no code.",
    kept: ({ LOGIN_PASS_SECONDS }) => `${LOGIN_PASS_SECONDS} seconds`,
    setBy: ["LOGIN_PASS_SECONDS"],
    expires: true,
    columns: {
      browser_hash: TOKEN,
      account_id: LINK,
      id: OWN_ID,
      key_version: under("version", KEY),
      ends_at: moment("endsAt"),
      used_at: moment("usedAt"),
    },
  },
  known_browsers: {
    ...OF_ACCOUNT,
    as: "knownBrowsers",
    about: "Browsers in which the person has signed in with a code.",
    kept: ({ KNOWN_BROWSER_DAYS }) => `${KNOWN_BROWSER_DAYS} days from the last sign-in with a code`,
    setBy: ["KNOWN_BROWSER_DAYS"],
    expires: true,
    columns: { browser_hash: TOKEN, account_id: LINK, id: OWN_ID, ends_at: moment("knownUntil") },
  },
  facts: {
    ...OF_NOBODY,
    about: "what the installation remembers about itself",
    erasure: { keeps: "nothing in it is about a person" },
    // The key check's sentences are sealed once with each key that is needed, so no count needs them.
    columns: { name: NO_ONES, value: NO_ONES },
  },
  audit_seals: {
    ...OF_NOBODY,
    about: "hashes over the events of many people",
    erasure: { keeps: "the hashes still vouch for the other events" },
    columns: {
      no: NO_ONES,
      through_seq: NO_ONES,
      events: NO_ONES,
      events_hash: NO_ONES,
      chain_hash: NO_ONES,
      key_version: KEY_NUMBER,
      seal_mac: under("row", ONE_WAY),
      sealed_at: NO_ONES,
    },
  },
  audit_archives: {
    ...OF_NOBODY,
    about: "which months are in files; it names no one",
    remark: () => "the files until the operator deletes them",
    erasure: { keeps: "the files that it names are rewritten without the person" },
    columns: {
      month: NO_ONES,
      file: NO_ONES,
      events: NO_ONES,
      through_seq: NO_ONES,
      file_sha256: NO_ONES,
      key_version: KEY_NUMBER,
      archive_mac: under("row", ONE_WAY),
      archived_at: NO_ONES,
    },
  },
} satisfies { readonly [Table in keyof Tables]: Entry<Table> };

type ColumnsOf<Table extends keyof Tables> = (typeof REGISTRY)[Table]["columns"];

/** The columns of a table that are keyed in one of these ways. */
export type KeyedColumn<Table extends keyof Tables, How extends Keyed> = {
  [Name in keyof ColumnsOf<Table>]: ColumnsOf<Table>[Name] extends { readonly keyed: How } ? Name : never;
}[keyof ColumnsOf<Table>];

/** The tables whose rows need keys. */
export type KeyedTable = {
  [Table in keyof Tables]: KeyedColumn<Table, "prefix" | "version"> extends never ? never : Table;
}[keyof Tables];

/** The tables with rows about people. */
export type PersonTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table]["of"] extends "nobody" ? never : Table;
}[keyof Tables];

/** These tables, in the order of the registry. */
export const PERSON_TABLES = (Object.keys(REGISTRY) as (keyof Tables)[]).filter(
  (table): table is PersonTable => REGISTRY[table].of !== "nobody",
);

/** The tables that the purge deletes rows of. */
export type ExpiringTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table] extends { readonly expires: true } ? Table : never;
}[keyof Tables];

/** The names of a table's columns that are keyed in this way. */
export function columnsKeyed<Table extends keyof Tables, How extends Keyed>(
  table: Table,
  how: How,
): readonly (KeyedColumn<Table, How> & string)[] {
  const columns: Readonly<Record<string, Column>> = REGISTRY[table].columns;
  const names = Object.keys(columns).filter((name) => columns[name]?.keyed === how);
  return names as (KeyedColumn<Table, How> & string)[];
}
