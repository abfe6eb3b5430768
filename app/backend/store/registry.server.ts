import type { Purpose } from "~/contract/purposes";
import type { AccountState, CodeState, CustomerKind, GraveAct, SessionState } from "./column-values.server";
import {
  generated,
  KEY,
  KEY_NUMBER,
  LINK,
  moment,
  nullable,
  number,
  OF_DETAILS,
  ONE_WAY,
  OWN_ID,
  PASSWORD,
  plain,
  type Registered,
  sealed,
  TOKEN,
  leftOut,
  words,
} from "./registry-entry.server";
import { FACTOR_TABLES, OF_ACCOUNT } from "./registry-factors.server";
import { INSTALLATION_TABLES } from "./registry-installation.server";
import { MESSAGE_TABLES } from "./registry-messages.server";
import { OF_CUSTOMER, POLICY_TABLES } from "./registry-policies.server";

/**
 * Every table and column: whose it is, how long it is kept, what an erasure does to it, how an export shows it, and
 * which key it needs. The types of the tables, export, erasure, the counts by key, `rewrap-keys` and
 * docs/operations/retention.md derive from it, and the purge must have a condition for each table that `expires`. A
 * table or column of a migration that is missing here fails a test. Exports are in this order.
 */
export const REGISTRY = {
  customers: {
    ...OF_CUSTOMER,
    as: "customer",
    about: "The policyholder, as the insurer's systems know them.",
    columns: {
      id: plain("id"),
      kind: plain<CustomerKind>("kind"),
      name_sealed: sealed("name"),
      /** The person who acts for a company. */
      representative_sealed: nullable(sealed("representative")),
      phone_sealed: sealed("phone"),
      pid_sealed: sealed("personalIdentifier"),
      /** Keyed hash of the personal identifier, for the look-up. */
      pid_index: leftOut(ONE_WAY),
      /** The same hash of its compared form, so that another spelling finds it. */
      pid_compared_index: leftOut(ONE_WAY),
      email_sealed: nullable(sealed("email")),
      /** The number that messages go to from `new_phone_from` on; null if there is none but `phone_sealed`. */
      new_phone_sealed: nullable(sealed("newPhone")),
      new_phone_from: nullable(moment("newPhoneFrom")),
      /** Keyed hashes of compared forms, for `account find`; null without a value. */
      name_index: nullable(leftOut(ONE_WAY)),
      phone_index: nullable(leftOut(ONE_WAY)),
      new_phone_index: nullable(leftOut(ONE_WAY)),
      email_index: nullable(leftOut(ONE_WAY)),
    },
  },
  ...POLICY_TABLES,
  staff_requests: {
    of: "customer",
    as: "staffRequests",
    about:
      "Changes to the account that a member of the insurer's staff has asked for, and a second must approve.",
    kept: () => "15 minutes, or until the second person decides",
    erasure: "deletes",
    expires: true,
    columns: {
      id: OWN_ID,
      customer_id: LINK,
      act: plain<GraveAct>("act"),
      /** The asker's `sub`: the asker can't approve. */
      asker: leftOut("the insurer's name for another person"),
      /** The asker, as the audit names them. */
      operator: leftOut("the name of another person, who acts for the insurer"),
      reason: plain("reason"),
      /** A hash of the state that the asker saw. */
      seen: leftOut(ONE_WAY),
      ends_at: moment("until"),
    },
  },
  codes: {
    ...OF_DETAILS,
    as: "oneTimeCodes",
    about: "The last codes that were asked for with the person's details.",
    kept: () => "a day after they expire; used ones a few seconds",
    remark: ({ CONFIRM_REPEAT_SECONDS }) =>
      `wrong tries count until then; the few seconds are ${CONFIRM_REPEAT_SECONDS}`,
    setBy: ["CONFIRM_REPEAT_SECONDS"],
    columns: {
      /** Hash of the browser's cookie. */
      browser_hash: leftOut(ONE_WAY),
      /** Whose code it is: an account, a customer, or a keyed hash of details that match no customer. */
      subject: LINK,
      purpose: plain<Purpose>("purpose"),
      /** New for each code sent. */
      id: OWN_ID,
      code_mac: leftOut("a code can't be read, and opens the account while it is valid"),
      key_version: KEY_NUMBER,
      state: plain<CodeState>("state"),
      /** 0 if the row only counts tries of a factor. */
      sent_at: moment("askedForAt"),
      /** When the resend link was last clicked; 0 if it never was. */
      resent_at: moment("askedForAgainAt"),
      ends_at: moment("expiresAt"),
      /** Wrong tries so far, across resends. */
      tries: number(plain("wrongTries")),
      /** Refusals for other reasons than a wrong code, plus confirms that hold the code at the moment. */
      refusals: number(plain("refusals")),
      used_at: nullable(moment("usedAt")),
      /** Keyed hash of the confirm that used the code. */
      payload_mac: nullable(leftOut(ONE_WAY)),
    },
  },
  attempts: {
    ...OF_DETAILS,
    as: "wrongTriesAndLocks",
    about: "How many passwords or codes were wrong, and until when that locks something.",
    kept: ({ LOCK_FORGOTTEN_SECONDS, FACTOR_STOP_FORGOTTEN_DAYS }) =>
      `${LOCK_FORGOTTEN_SECONDS / 3600} hours from the last try, at least a day, and until the lock ends; those at second factors ${FACTOR_STOP_FORGOTTEN_DAYS} days`,
    columns: {
      subject: words("of"),
      tries: number(plain("wrongTries")),
      /** Goes up whenever counting starts over. */
      run: number(leftOut("how often counting has started over")),
      /** How many blocks there have been: each lasts longer. */
      level: number(plain("locksSoFar")),
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
    remark: () =>
      "counts by address name no account, and end after 10 minutes; those of operators' looks after an hour",
    columns: {
      bucket: words("of"),
      count: number(plain("count")),
      ends_at: moment("endsAt"),
    },
  },
  ...MESSAGE_TABLES,
  audit_events: {
    of: "details",
    as: "activity",
    about: "What happened to the account and with the person's details, when, and from which address.",
    kept: () => "for as long as the operator keeps the audit",
    remark: ({ ACTIVITY_DAYS, ACTIVITY_EVENTS }) =>
      `whole months in the database, then in files; customers see ${ACTIVITY_DAYS} days, ${ACTIVITY_EVENTS} events`,
    setBy: ["AUDIT_KEEP_MONTHS", "ACTIVITY_DAYS"],
    erasure: {
      empties: {
        account_id: null,
        subject: null,
        purpose: null,
        address: "",
        request_id: "",
        device_name: "",
        operator: null,
        reason: null,
      },
      because: "what happened and when stays, with a hash that the seals need",
    },
    columns: {
      /** Grows with each event; on PostgreSQL, 0 for events from before there was a sequence. */
      seq: generated(number(leftOut("a place in the order"))),
      id: plain("id"),
      happened_at: moment("at"),
      event: plain("event"),
      account_id: nullable(LINK),
      /** Without an account: a customer, or a keyed hash of the typed details. With one: the hash of the browser's cookie. */
      subject: nullable(LINK),
      purpose: nullable(plain<Purpose>("purpose")),
      address: plain("address"),
      request_id: plain("requestId"),
      /** Empty if it isn't known. */
      device_name: plain("deviceName"),
      /** Which member of the insurer's staff did it, and why; null if a customer did. */
      operator: nullable(leftOut("the name of another person, who acted for the insurer")),
      reason: nullable(plain("reason")),
      /** The event's hash from before the person's data was erased. */
      erased_hash: nullable(leftOut("erased events are no one's")),
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
      /** The form in which usernames are compared. */
      username_key: leftOut("the username once more, in small letters"),
      password_hash: PASSWORD,
      pepper_version: number(leftOut(KEY)),
      state: plain<AccountState>("state"),
      created_at: moment("registeredAt"),
      /**
       * 1 if the account has a second factor, else 0. It is here because the row is what changes lock: a look at the other
       * tables could come before the lock, and be out of date.
       */
      has_factors: generated(number(plain("hasSecondFactors"))),
      /** WebAuthn's user handle, kept when the last passkey is removed; null if there never was one. */
      passkey_user_handle: nullable(
        leftOut("a random number made by the portal, which the person's device has"),
      ),
    },
  },
  password_history: {
    ...OF_ACCOUNT,
    as: "earlierPasswords",
    about: "When earlier passwords were replaced. Their hashes are kept so that they aren't used again.",
    kept: ({ PASSWORD_HISTORY }) => `the last ${PASSWORD_HISTORY}`,
    remark: ({ PASSWORD_HISTORY }) =>
      `the current one among them, so ${PASSWORD_HISTORY - 1} rows of an account`,
    columns: {
      id: OWN_ID,
      account_id: LINK,
      password_hash: PASSWORD,
      pepper_version: number(leftOut(KEY)),
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
    columns: {
      id: OWN_ID,
      account_id: LINK,
      changed_at: moment("changedAt"),
    },
  },
  document_passwords: {
    ...OF_ACCOUNT,
    as: "documentPassword",
    about: "If there is one, a document password is set.",
    kept: () => "until the person changes it, or the account is erased",
    columns: {
      account_id: LINK,
      key_version: number(leftOut(KEY)),
      wrapped_key: leftOut(KEY),
      password_sealed: leftOut("it opens the person's documents, and they know it"),
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
      /** Hash of the token in the cookie. */
      id: TOKEN,
      account_id: LINK,
      state: plain<SessionState>("state"),
      created_at: moment("startedAt"),
      last_seen_at: moment("lastSeenAt"),
      /** The absolute end, however active the session is. */
      ends_at: moment("endsAt"),
      /** Empty if it isn't known. */
      device_name: plain("deviceName"),
      /** When a recovery code opened it; null if none did. */
      recovered_at: nullable(moment("openedByRecoveryCodeAt")),
    },
  },
  ...FACTOR_TABLES,
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
      /** Hash of the newest token. */
      token_hash: TOKEN,
      device_name: plain("deviceName"),
      trusted_at: moment("trustedAt"),
      ends_at: moment("trustedUntil"),
      /** Hash of the part that all tokens of the device share; null until the token changes for the first time. */
      family_hash: nullable(TOKEN),
      /** Hash of the token before the newest; it stays good until the newest has been used. */
      earlier_hash: nullable(TOKEN),
      /** Hash of the browser's cookie; null if the previous release trusted it and it wasn't used since. */
      browser_hash: nullable(TOKEN),
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
      key_version: number(leftOut(KEY)),
      ends_at: moment("endsAt"),
      used_at: nullable(moment("usedAt")),
    },
  },
  /** Browsers in which an account has signed in with a code. */
  known_browsers: {
    ...OF_ACCOUNT,
    as: "knownBrowsers",
    about: "Browsers in which the person has signed in with a code.",
    kept: ({ KNOWN_BROWSER_DAYS }) => `${KNOWN_BROWSER_DAYS} days from the last sign-in with a code`,
    setBy: ["KNOWN_BROWSER_DAYS"],
    expires: true,
    columns: {
      /** Hash of the browser's cookie. */
      browser_hash: TOKEN,
      account_id: LINK,
      id: OWN_ID,
      ends_at: moment("knownUntil"),
    },
  },
  ...INSTALLATION_TABLES,
} satisfies Readonly<Record<string, Registered>>;
