/** A limit of the product. Caps are looser in demo mode so that repeated tests from one machine don't hit them. */
export interface Limit {
  readonly value: number;
  readonly inDemo: number;
  /** For operators, in whole sentences. */
  readonly about: string;
}

const DEMO_FACTOR = 25;

/** A limit that is the same in every mode: tries, locks, lifetimes. */
const limit = (value: number, about: string): Limit => ({ value, inDemo: value, about });
/** A limit on how many events there may be in a period, looser in demo mode. */
const cap = (value: number, about: string): Limit => ({ value, inDemo: value * DEMO_FACTOR, about });

/** Documents: how many, and the work on them. */
export const DOCUMENTS = {
  NEW_PHONE_HOURS: limit(
    24,
    "Codes and notices of a registered customer still go to the old number this long after an import has brought a new one.",
  ),
  RESTORE_DAYS: limit(30, "Policies and documents that were taken back can be restored for this many days."),
  DOCUMENTS_PER_HOUR: cap(
    60,
    "Documents that one account may download in an hour: encrypting one costs as much as several pages.",
  ),
  // S128.
  DOCUMENTS_AT_ONCE: limit(
    3,
    "Downloads of one account that a process may have unfinished; a further one is told to wait.",
  ),
  DOCUMENT_PLACES: limit(
    4,
    "Downloads that a process makes and sends at once; further ones wait. Each holds its document in memory until the last piece is handed over.",
  ),
  DOCUMENT_BYTES_PER_SECOND: limit(
    32 * 1024,
    "A download breaks off if its customer takes less than this, on average.",
  ),
  DOCUMENT_BEHIND_MS: limit(20_000, "How far a customer may fall behind that rate, by a pause, say."),
  // Contract: customer area.
  DOCUMENT_PAUSE_MS: limit(
    10_000,
    "An attached backend may pause this long while it sends a document; then the download breaks off.",
  ),
  // Contract: customer area; below nginx's 10 s.
  PDF_MS: limit(
    8000,
    "How long a document may take to be made, encrypted and checked, from the arrival of the request, the wait included. Then its work stops, and the answer is 503.",
  ),
};

/** SMS notices. They are counted apart from codes: neither uses up the other's caps (S96). */
export const NOTICES = {
  SMS_NOTICES_PER_DAY: cap(
    5,
    "Notices to one number in a day about what a right password or code has changed.",
  ),
  SMS_LOCK_NOTICES_PER_DAY: cap(
    1,
    "Notices to one number in a day about a lock by wrong passwords. Strangers can cause these.",
  ),
  SMS_LOCK_NOTICES_TOTAL_PER_HOUR: cap(
    500,
    "Notices about such locks to all numbers together in an hour. Beyond that, none are sent. At 80 % the log warns, at 100 % an alarm fires.",
  ),
  MESSAGE_DAYS: limit(
    30,
    "For how many days the delivery state of a message is kept, without its text and number.",
  ),
};

/** E-mail notices. They are counted apart from all text messages (S149). */
const MAIL_NOTICES = {
  MAIL_NOTICES_PER_DAY: cap(5, "E-mails to one customer in a day about what has changed."),
  MAIL_LOCK_NOTICES_PER_DAY: cap(1, "E-mails to one customer in a day about a lock by wrong passwords."),
  MAIL_LOCK_NOTICES_TOTAL_PER_HOUR: cap(
    500,
    "E-mails about such locks to all customers together in an hour. At 80 % the log warns, at 100 % an alarm fires.",
  ),
  // S150.
  MAIL_SEND_MS: limit(
    30_000,
    "How long one attempt may take, from the connection to the server's last answer.",
  ),
  MAIL_RETRY_SECONDS: limit(60, "The wait after the first failed attempt; it doubles each time."),
  MAIL_RETRY_MAX_SECONDS: limit(60 * 60, "The longest wait between two attempts."),
  MAIL_POLL_MS: limit(10_000, "How often a process looks for e-mails that others left behind."),
};

const SESSIONS = {
  // Backend contract; ASVS 7.3.1 and 7.3.2 (S36).
  SESSION_IDLE_SECONDS: limit(15 * 60, "A session ends after this long without a request."),
  SESSION_MAX_SECONDS: limit(
    8 * 60 * 60,
    "A session ends this long after the password was given, used or not.",
  ),
  // Specification §9, both.
  TRUSTED_DEVICE_DAYS: limit(30, "How long a device stays trusted, counted from the day it was trusted."),
  // Backend contract, Caps (S107).
  KNOWN_BROWSER_DAYS: limit(
    30,
    "How long a browser stays known to an account after a sign-in with a code there. A known browser has its own tries, lock, codes and caps.",
  ),
  // Contract: customer area, both.
  ACTIVITY_DAYS: limit(90, "For how many days customers see what happened to their account."),
  COOKIE_CONSENT_SECONDS: limit(2_592_000, "How long consent to cookies is remembered."),
  FLOW_SECONDS: limit(
    15 * 60,
    "How long a browser remembers, between the screens of a journey, what was entered.",
  ),
};

const CODES = {
  // Specification §8, 016.
  CODE_TRIES: limit(5, "This many wrong tries block the code."),
  // 012, 013 and 422.
  CODE_REFUSALS: limit(
    5,
    "A right code is blocked, too, once it has been refused this many times for another reason.",
  ),
  CODE_TRIES_PER_DAY: limit(
    15,
    "After this many wrong tries in a day, from all browsers together, no codes are sent for that account and purpose for an hour. A known browser's tries count for it alone.",
  ),
  CODE_REPEAT_SECONDS: limit(
    30,
    "A second request within this time sends nothing: the first code counts for it.",
  ),
  // Specification §9.
  RESEND_THROTTLE_MS: limit(1000, "The resend link ignores further clicks for this long."),
  CONFIRM_REPEAT_SECONDS: limit(
    10,
    "A confirm repeated this soon after it succeeded gets the same answer again.",
  ),
};

/** Second factors (contract: factors). */
const FACTORS = {
  FACTOR_TRIES: limit(
    15,
    "After this many wrong codes for one account no code of an app and no recovery code is compared for `LIMIT_FACTOR_STOP_SECONDS`. A known browser's tries count for it alone, and passkeys don't count.",
  ),
  FACTOR_STOP_SECONDS: limit(
    60 * 60,
    "How long the first such stop lasts; each further one lasts twice as long, up to a day.",
  ),
  FACTOR_WRONG_IN_ROW: limit(
    100,
    "After this many wrong codes in a row from unknown browsers none of theirs is compared, until a known browser, a passkey or `portal account unlock` has confirmed.",
  ),
};

const PASSWORDS = {
  LOGIN_PASS_SECONDS: limit(
    2 * 60,
    "For this long after a password reset, one sign-in from the same browser needs no code.",
  ),
  // Specification §8, 015.
  USERNAME_CHANGES: limit(3, "How often a username may be changed within `LIMIT_USERNAME_CHANGE_DAYS`."),
  USERNAME_CHANGE_DAYS: limit(30, "The period for `LIMIT_USERNAME_CHANGES`, in days."),
  // Backend contract, 106 (S9, S12).
  PASSWORD_TRIES: limit(5, "This many wrong passwords in a row lock the account for a time."),
  LOCK_SECONDS: limit(
    15 * 60,
    "How long the first lock lasts; each further one lasts twice as long, up to `LIMIT_LOCK_MAX_SECONDS`.",
  ),
  LOCK_MAX_SECONDS: limit(2 * 60 * 60, "The longest a lock can last."),
};

const MESSAGES = {
  SMS_OPEN_PER_10_MINUTES: cap(4, "Codes to one number in ten minutes that signed-out visitors can cause."),
  SMS_OPEN_PER_DAY: cap(10, "Codes to one number in a day that signed-out visitors can cause."),
  SMS_KNOWN_PER_10_MINUTES: cap(
    8,
    "Codes to one number in ten minutes after a right password or within a session. Each known browser may cause as many on its own.",
  ),
  SMS_KNOWN_PER_DAY: cap(
    30,
    "Codes to one number in a day after a right password or within a session, or from one known browser.",
  ),
  // S28.
  SMS_POLICIES_OPEN_PER_DAY: cap(
    10,
    "Codes for one customer's policies in a day that signed-out visitors can cause.",
  ),
  SMS_POLICIES_KNOWN_PER_DAY: cap(
    30,
    "Codes for one customer's policies in a day after a right password or within a session.",
  ),
  // S27, S106.
  SMS_OPEN_TOTAL_PER_HOUR: cap(
    2000,
    "Codes to all numbers together in an hour that signed-out visitors can cause, to stop SMS pumping. Beyond that none of them gets one, and none is told. At 80 % the log warns, at 100 % an alarm fires.",
  ),
  SMS_KNOWN_TOTAL_PER_HOUR: cap(
    2000,
    "The same after a right password, within a session or in a known browser. Requests from elsewhere don't count towards these.",
  ),
  // S11.
  ADDRESS_SIGN_INS_PER_10_MINUTES: cap(
    60,
    "Tries to sign in from one address in ten minutes, to slow down password spraying.",
  ),
  // S110.
  ADDRESS_CONFIRMS_PER_10_MINUTES: cap(
    60,
    "Codes that signed-out visitors may type at one address in ten minutes, right or wrong, to slow down guessing. Those after a right password don't count.",
  ),
  ADDRESS_CODES_PER_10_MINUTES: cap(30, "Codes requested from one address in ten minutes."),
  SMS_PARALLEL: limit(
    8,
    "How many messages a process sends to the gateway at once, so that a slow one holds up no other.",
  ),
  // S70.
  SMS_SEND_MS: limit(10_000, "How long the gateway may take to answer before the attempt counts as failed."),
  SMS_RETRY_SECONDS: limit(
    5,
    "The wait after the first failed attempt; it doubles each time, up to a minute.",
  ),
  SMS_FALLBACK_SECONDS: limit(
    60,
    "How long messages go to the second gateway first, after the first one has failed. Then one message tries the first again.",
  ),
};

const WORK = {
  HASH_PARALLEL: limit(
    2,
    "Password hashes computed at once. On two cores more would only take turns, and each needs 19 MiB of memory.",
  ),
  // S114.
  HASH_WAIT_MS: limit(
    3000,
    "A password's hash begins at most this long after its request arrived, or the answer is 503.",
  ),
  HASH_PLACES: limit(
    1000,
    "At most this many hashes may run or wait, however short the wait; beyond that the answer is 503.",
  ),
  PURGE_SECONDS: limit(5 * 60, "How often expired rows are deleted."),
  ANNOUNCEMENT_SECONDS: limit(
    3,
    "How often a portal looks for what an operator has announced (`portal announce`, `portal maintenance`, `ANNOUNCEMENT_FILE`).",
  ),
  AUDIT_SEAL_SECONDS: limit(60, "How often new events of the audit are sealed."),
  // S105.
  CONNECTIONS: limit(
    10_000,
    "Connections that may be open at once, in all; a further one is closed at once. An idle one takes about 10 KB.",
  ),
  ADDRESS_CONNECTIONS: cap(
    100,
    "The same from one address (of IPv6, from one /64). `TRUSTED_PROXIES` are exempt: there the proxy limits.",
  ),
  // S70.
  BACKEND_MS: limit(
    3000,
    "How long a call to an attached backend may take, the body of the answer included.",
  ),
  BACKEND_ANSWER_BYTES: limit(1024 * 1024, "The largest answer accepted from an attached backend, unpacked."),
  SIGN_OUT_MS: limit(
    1000,
    "How long the portal waits for the backend to end a session; after that it clears the cookie itself.",
  ),
  STOP_NOTICE_MS: limit(
    1,
    "After SIGTERM, `/readyz` says no for this long while requests are still served, so that load balancers that poll it notice. nginx doesn't need this.",
  ),
  STOP_DIVERT_MS: limit(
    250,
    "After that notice, `/healthz` says no for this long while requests are still served. nginx asks it before each request and goes elsewhere, so none is on its way here when the port closes.",
  ),
  STOP_IDLE_MS: limit(
    2500,
    "Once the port is closed, an open connection may bring one more request within this time. The proxy in front must close idle connections sooner (nginx: after 1 s).",
  ),
  STOP_MS: limit(10_000, "The process exits this long after the port is closed, finished or not."),
  READY_MS: limit(
    2000,
    "How long the database or backend may take to answer `/readyz` before it counts as not ready.",
  ),
  READY_FRESH_MS: limit(
    1000,
    "How long an answer of `/readyz` is reused for everyone who asks, so that it can't be used to load the database.",
  ),
};

const DATABASE = {
  DATABASE_CONNECT_MS: limit(
    2000,
    "How long to wait for a PostgreSQL connection, new or from the pool, before the answer is 503.",
  ),
  DATABASE_QUERY_MS: limit(3000, "How long a statement may run."),
  DATABASE_LOCK_MS: limit(2000, "How long a statement waits for a row that another process is changing."),
  DATABASE_IDLE_TRANSACTION_MS: limit(
    5000,
    "A transaction is rolled back if its process sends nothing for this long, so that it blocks no other transaction.",
  ),
};

/**
 * The limits that an operator may set, read as policy: default and meaning. The variable is `LIMIT_<NAME>`;
 * docs/configuration.md is generated from this list. Names of lifetimes end in their unit. Caps are looser in demo mode;
 * tries, locks and lifetimes are the same everywhere. Grouped as in the docs.
 */
export const LIMIT_GROUPS = {
  sessions: SESSIONS,
  codes: CODES,
  factors: FACTORS,
  passwords: PASSWORDS,
  messages: MESSAGES,
  notices: NOTICES,
  mailNotices: MAIL_NOTICES,
  work: WORK,
  documents: DOCUMENTS,
  postgresql: DATABASE,
} satisfies Record<string, Record<string, Limit>>;
