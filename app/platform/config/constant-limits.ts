/**
 * Limits that no operator can set: promises of the specification, the contracts and docs/security.md, and figures that only a
 * change of the code would call into question.
 */
export const CONSTANT_LIMITS = {
  /** How many of the last events customers see (contract: customer area). */
  ACTIVITY_EVENTS: 50,
  /** How long a browser remembers which news of an account were answered there (contract: customer area, News). */
  NEWS_SEEN_SECONDS: 2_592_000,
  /** How long a browser is offered no passkey, after one was used there or an offer was declined (contract: factors). */
  PASSKEY_OFFER_SECONDS: 2_592_000,

  /** How long a code is valid (NIST 800-63B-4 §3.1.3.2). */
  CODE_LIFETIME_SECONDS: 10 * 60,
  /** How long no codes are sent after `CODE_TRIES_PER_DAY` wrong tries. */
  CODE_STOP_SECONDS: 60 * 60,

  FACTORS_APPS: 5,
  FACTORS_PASSKEYS: 10,
  /** How long a passkey can answer a challenge. */
  PASSKEY_CHALLENGE_SECONDS: 5 * 60,
  /** How long a prepared app can be confirmed. */
  FACTOR_PREPARED_SECONDS: 10 * 60,
  /** How long nothing is compared after `CODE_TRIES` wrong codes where no new code can be sent by SMS. */
  FACTOR_BLOCK_SECONDS: 15 * 60,
  /** The longest stop after wrong codes. */
  FACTOR_STOP_MAX_SECONDS: 24 * 60 * 60,
  /** Wrong codes and stops are forgotten after this many days without a new one, or when a factor was right. */
  FACTOR_STOP_FORGOTTEN_DAYS: 30,
  /** For this long after a sign-in by a recovery code, factors may be changed without another proof. */
  FACTOR_RECOVERY_SECONDS: 15 * 60,

  /** A new password must differ from this many earlier ones, the current one included (specification §8, 013). */
  PASSWORD_HISTORY: 5,
  /** Wrong passwords and locks are forgotten after this long without a new one. */
  LOCK_FORGOTTEN_SECONDS: 24 * 60 * 60,

  /** The answer to a request over its limit waits this long, to slow down a flood. */
  REFUSAL_HOLD_MS: 1000,
  /** The longest wait between two attempts to send a text message. */
  SMS_RETRY_MAX_SECONDS: 60,
  /** How often a process checks the queue for messages that others left behind. */
  SMS_POLL_MS: 2000,
  /** How long messages that are being sent may take to finish when the process stops. */
  SMS_STOP_MS: 3000,
  /** How long a notice is offered to the gateway. Then it is dropped (S96). */
  SMS_NOTICE_SECONDS: 24 * 60 * 60,
  MAIL_NOTICE_SECONDS: 24 * 60 * 60,
  /** How many e-mails a process sends at once. */
  MAIL_PARALLEL: 2,
  MAIL_STOP_MS: 3000,

  /** A request without a place for its hash waits this long before its 503, so that immediate retries can't load us. */
  HASH_HOLD_MS: 1000,
  /** Downloads that may wait for a place, and documents that may wait for the thread that makes them. Then 503. */
  PDF_WAITING: 100,
  /** The thread for documents ends when it has been idle this long; starting it again takes half a second. */
  PDF_IDLE_MS: 60_000,

  /** The longest address, query included. Ours have at most some 400 characters and six segments (S104). */
  ADDRESS_CHARACTERS: 2000,
  ADDRESS_SEGMENTS: 16,
  /** Node shows only the first 1,000 header lines and obeys them all. Browsers and proxies send some 40 (S63). */
  HEADER_LINES: 100,
  /** A connection that has sent more requests than this, without waiting for the answers, is closed (S105). */
  PIPELINED_REQUESTS: 8,
  /** S63, S64. */
  API_BODY_BYTES: 16 * 1024,
  FORM_BODY_BYTES: 64 * 1024,
  /** A connection is closed if it has sent no request head by then, or no whole request by `REQUEST_MS`. */
  FIRST_HEAD_MS: 15_000,
  REQUEST_MS: 30_000,

  /** `portal doctor`: an event of the audit that is not sealed by then is a warning. */
  DOCTOR_SEAL_MINUTES: 10,
  /** A certificate that ends sooner. */
  DOCTOR_CERTIFICATE_WARNING_DAYS: 21,
  DOCTOR_CERTIFICATE_PROBLEM_DAYS: 7,
  /** Clocks that differ by this much; the alarms ClockOff and ClockWrong watch the same. */
  DOCTOR_CLOCK_WARNING_MS: 1000,
  DOCTOR_CLOCK_PROBLEM_MS: 5000,
  /** Less free space on the disk of `DATA_DIR`. */
  DOCTOR_DISK_WARNING_MB: 1000,
  DOCTOR_DISK_WARNING_PERCENT: 10,
  DOCTOR_DISK_PROBLEM_MB: 200,
  /** A code that has waited this long; the alarm SmsWait watches the same. */
  DOCTOR_SMS_WARNING_SECONDS: 60,
  DOCTOR_SMS_PROBLEM_SECONDS: 300,
  DOCTOR_MAIL_WARNING_SECONDS: 60 * 60,
} satisfies Readonly<Record<string, number>>;
