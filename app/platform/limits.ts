/**
 * Every limit of the product in one list, read as policy. Each can be changed by the variable `LIMIT_<NAME>`.
 * Lifetimes end in their unit. Caps named in `DEMO_FACTOR` are looser in demo mode, so that repeated tests
 * from one machine do not run into them; tries, locks and lifetimes are the same everywhere.
 */
export const LIMITS = {
  /** A session ends after this long without a request (backend contract; ASVS 7.3.1). */
  SESSION_IDLE_SECONDS: 15 * 60,
  /** A session ends this long after sign-in, used or not (backend contract; ASVS 7.3.2). */
  SESSION_MAX_SECONDS: 8 * 60 * 60,
  /** A trusted device is trusted this long from the day it was trusted (specification §9). */
  TRUSTED_DEVICE_DAYS: 30,
  /** The consent to cookies is remembered this long (specification §9). */
  COOKIE_CONSENT_SECONDS: 2_592_000,
  /** What a flow remembers between its screens is forgotten after this long. */
  FLOW_SECONDS: 15 * 60,

  /** A one-time code is valid this long (NIST 800-63B-4 §3.1.3.2). */
  CODE_LIFETIME_SECONDS: 10 * 60,
  /** The wrong try with this number blocks the code (specification §8, 016). */
  CODE_TRIES: 5,
  /** A right code that is refused for another reason (012, 013, 422) this many times is blocked, too. */
  CODE_REFUSALS: 5,
  /** This many wrong tries over all browsers in a day stop the sending of codes for an account and purpose … */
  CODE_TRIES_PER_DAY: 15,
  /** … for this long. */
  CODE_STOP_SECONDS: 60 * 60,
  /** A second request for a code within this time finds the first one already sent. */
  CODE_REPEAT_SECONDS: 30,
  /** The resend link is ignored this long after a click (specification §9). */
  RESEND_THROTTLE_MS: 1000,
  /** A confirm repeated within this time of its success is answered like the first. */
  CONFIRM_REPEAT_SECONDS: 10,

  /** A new password must differ from this many before it, the present one included (013). */
  PASSWORD_HISTORY: 5,
  /** After a reset, one sign-in from the same browser within this time asks for no code. */
  LOGIN_PASS_SECONDS: 2 * 60,
  /** A username may be changed this often (015) … */
  USERNAME_CHANGES: 3,
  /** … in this time. */
  USERNAME_CHANGE_DAYS: 30,

  /** The wrong password with this number, in a row, locks the account for a time (106). */
  PASSWORD_TRIES: 5,
  /** The first timed lock; each further one lasts twice as long … */
  LOCK_SECONDS: 15 * 60,
  /** … up to this. */
  LOCK_MAX_SECONDS: 2 * 60 * 60,
  /** Wrong passwords and locks are forgotten after this long without any. */
  LOCK_FORGOTTEN_SECONDS: 24 * 60 * 60,

  /** Codes to one phone number that a signed-out visitor can cause. */
  SMS_OPEN_PER_10_MINUTES: 4,
  SMS_OPEN_PER_DAY: 10,
  /** Codes to one phone number behind a right password or a session. */
  SMS_KNOWN_PER_10_MINUTES: 8,
  SMS_KNOWN_PER_DAY: 30,
  /** Codes to all numbers together: a brake on SMS pumping (S27). */
  SMS_TOTAL_PER_HOUR: 2000,

  /** Sign-in tries from one address: a brake on password spraying (S11). */
  ADDRESS_SIGN_INS_PER_10_MINUTES: 60,
  /** Codes asked for from one address (S27). */
  ADDRESS_CODES_PER_10_MINUTES: 30,

  /** argon2id runs at the same time. More would only take turns on two cores, and memory. */
  HASH_PARALLEL: 2,
  /** A sign-in waits for its hash at most about this long; more work than that is answered 503. */
  HASH_WAIT_MS: 3000,
  /** This many may always wait for their hash. */
  HASH_PLACES: 300,

  /** What has expired is deleted this often. */
  PURGE_SECONDS: 5 * 60,

  /** Body of an API call. */
  API_BODY_BYTES: 16 * 1024,
  /** Body of a form. */
  FORM_BODY_BYTES: 64 * 1024,
  /** A connection that has sent no request head by then is closed (S64). */
  FIRST_HEAD_MS: 15_000,
  /** A request must be complete by then (S64). */
  REQUEST_MS: 30_000,
  /** A call to a backend of the insurer's own is answered by then, its body included, or has failed (S70). */
  BACKEND_MS: 3000,
  /** An answer of that backend is no longer than this, unpacked (S70). */
  BACKEND_ANSWER_BYTES: 1024 * 1024,
  /** Ending a session at the backend takes at most this long; then the portal clears the cookie itself. */
  SIGN_OUT_MS: 1000,
  /** After SIGTERM `/readyz` says no for this long, and all goes on: time for load balancers to notice. */
  STOP_NOTICE_MS: 1,
  /** The process is gone this long after the notice, finished or not. */
  STOP_MS: 10_000,
  /** What `/readyz` asks has answered by then, or is not ready. */
  READY_MS: 2000,
  /** An answer of `/readyz` is good for this long, whoever asks: it can't be used to load the database. */
  READY_FRESH_MS: 1000,
} as const;

/** The name of a limit; its variable is `LIMIT_` and this. */
export type LimitName = keyof typeof LIMITS;
/** Each limit's value in force. */
export type Limits = Readonly<Record<LimitName, number>>;

const DEMO_FACTOR = 25;
const LOOSER_IN_DEMO: readonly LimitName[] = [
  "SMS_OPEN_PER_10_MINUTES",
  "SMS_OPEN_PER_DAY",
  "SMS_KNOWN_PER_10_MINUTES",
  "SMS_KNOWN_PER_DAY",
  "SMS_TOTAL_PER_HOUR",
  "ADDRESS_SIGN_INS_PER_10_MINUTES",
  "ADDRESS_CODES_PER_10_MINUTES",
];

/** All names, for reading the environment and for the documentation. */
export const LIMIT_NAMES = Object.keys(LIMITS) as readonly LimitName[];

/** The limits of a mode before any variable changes them. */
export function defaultLimits(mode: "demo" | "production"): Limits {
  const factor = (name: LimitName) => (mode === "demo" && LOOSER_IN_DEMO.includes(name) ? DEMO_FACTOR : 1);
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, LIMITS[name] * factor(name)])) as Limits;
}
