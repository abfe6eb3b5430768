/**
 * Every limit of the product, read as policy: its value, and what it limits. Each can be changed by the variable
 * `LIMIT_<NAME>`; docs/configuration.md is made of this. Lifetimes end in their unit. Caps are looser in demo mode, so
 * that repeated tests from one machine do not run into them; tries, locks and lifetimes are the same everywhere.
 */
interface Limit {
  readonly value: number;
  readonly inDemo: number;
  /** For operators: a sentence. */
  readonly about: string;
}

const DEMO_FACTOR = 25;

const limit = (value: number, about: string): Limit => ({ value, inDemo: value, about });
const cap = (value: number, about: string): Limit => ({ value, inDemo: value * DEMO_FACTOR, about });

const SESSIONS = {
  // Backend contract; ASVS 7.3.1 and 7.3.2 (S36).
  SESSION_IDLE_SECONDS: limit(15 * 60, "A session ends after this long without a request."),
  SESSION_MAX_SECONDS: limit(8 * 60 * 60, "A session ends this long after the password, used or not."),
  // Specification §9, both.
  TRUSTED_DEVICE_DAYS: limit(30, "A trusted device is trusted this long, from the day it was trusted."),
  COOKIE_CONSENT_SECONDS: limit(2_592_000, "The consent to cookies is remembered this long."),
  FLOW_SECONDS: limit(15 * 60, "What a flow remembers between its screens is forgotten after this long."),
};

const CODES = {
  // NIST 800-63B-4 §3.1.3.2.
  CODE_LIFETIME_SECONDS: limit(10 * 60, "A code is valid this long."),
  // Specification §8, 016.
  CODE_TRIES: limit(5, "The wrong try with this number blocks the code."),
  // 012, 013 and 422.
  CODE_REFUSALS: limit(5, "A right code that is refused for another reason this many times is blocked, too."),
  CODE_TRIES_PER_DAY: limit(
    15,
    "This many wrong tries in a day, over all browsers, stop the sending of codes for an account and purpose …",
  ),
  CODE_STOP_SECONDS: limit(60 * 60, "… for this long."),
  CODE_REPEAT_SECONDS: limit(30, "A second request within this time finds the first code already sent."),
  // Specification §9.
  RESEND_THROTTLE_MS: limit(1000, "The resend button is ignored this long after a click."),
  CONFIRM_REPEAT_SECONDS: limit(
    10,
    "A confirm repeated within this time of its success is answered like the first.",
  ),
};

const PASSWORDS = {
  // Specification §8, 013.
  PASSWORD_HISTORY: limit(
    5,
    "A new password must differ from this many before it, the present one included.",
  ),
  LOGIN_PASS_SECONDS: limit(
    2 * 60,
    "After a reset, one sign-in from the same browser within this time asks for no code.",
  ),
  // Specification §8, 015.
  USERNAME_CHANGES: limit(3, "A username may be changed this often …"),
  USERNAME_CHANGE_DAYS: limit(30, "… in this many days."),
  // Backend contract, 106 (S9, S12).
  PASSWORD_TRIES: limit(5, "The wrong password with this number, in a row, locks the account for a time."),
  LOCK_SECONDS: limit(15 * 60, "The first lock lasts this long; each further one twice as long …"),
  LOCK_MAX_SECONDS: limit(2 * 60 * 60, "… up to this."),
  LOCK_FORGOTTEN_SECONDS: limit(
    24 * 60 * 60,
    "Wrong passwords and locks are forgotten after this long without any.",
  ),
};

const MESSAGES = {
  SMS_OPEN_PER_10_MINUTES: cap(
    4,
    "Codes to one number that a signed-out visitor can cause, in ten minutes …",
  ),
  SMS_OPEN_PER_DAY: cap(10, "… and in a day."),
  SMS_KNOWN_PER_10_MINUTES: cap(
    8,
    "Codes to one number behind a right password or a session, in ten minutes …",
  ),
  SMS_KNOWN_PER_DAY: cap(30, "… and in a day."),
  // S28.
  SMS_POLICIES_OPEN_PER_DAY: cap(
    10,
    "Codes on account of one holder's policies that a signed-out visitor can cause, in a day …",
  ),
  SMS_POLICIES_KNOWN_PER_DAY: cap(30, "… and behind a right password or a session."),
  // S27.
  SMS_TOTAL_PER_HOUR: cap(
    2000,
    "Codes to all numbers together in an hour: a brake on SMS pumping. At 80 % the log warns, at 100 % it rings.",
  ),
  // S11.
  ADDRESS_SIGN_INS_PER_10_MINUTES: cap(
    60,
    "Tries to sign in from one address: a brake on password spraying.",
  ),
  ADDRESS_CODES_PER_10_MINUTES: cap(30, "Codes asked for from one address."),
  SMS_PARALLEL: limit(
    8,
    "Messages that a process hands to the gateway at the same time: a slow one holds up no other.",
  ),
  // S70.
  SMS_SEND_MS: limit(10_000, "The gateway answers by then, or the attempt has failed."),
  SMS_RETRY_SECONDS: limit(
    5,
    "The wait after the first failed attempt; each further one lasts twice as long …",
  ),
  SMS_RETRY_MAX_SECONDS: limit(60, "… up to this. A message whose code has ended is dropped."),
  SMS_POLL_MS: limit(2000, "A process looks into the queue this often for what others left."),
  SMS_STOP_MS: limit(3000, "What is being sent when the process stops has this long to end."),
};

const WORK = {
  HASH_PARALLEL: limit(
    2,
    "Password hashes at the same time. More would only take turns on two cores, and 19 MiB of memory each.",
  ),
  HASH_WAIT_MS: limit(
    3000,
    "A password waits for its hash about this long at most; more work than that is answered 503.",
  ),
  HASH_PLACES: limit(300, "This many may always wait for their hash."),
  PURGE_SECONDS: limit(5 * 60, "What has expired is deleted this often."),
  // S104: the longest address of ours has some 400 characters and six segments.
  ADDRESS_CHARACTERS: limit(2000, "An address, its query included, is no longer than this."),
  ADDRESS_SEGMENTS: limit(16, "An address has at most this many segments between its slashes."),
  // S63, S64.
  API_BODY_BYTES: limit(16 * 1024, "The body of an API call."),
  FORM_BODY_BYTES: limit(64 * 1024, "The body of a form."),
  FIRST_HEAD_MS: limit(15_000, "A connection that has sent no request head by then is closed."),
  REQUEST_MS: limit(30_000, "A request must be complete by then."),
  // S70.
  BACKEND_MS: limit(
    3000,
    "A call to a backend of the insurer's own is answered by then, its body included, or has failed.",
  ),
  BACKEND_ANSWER_BYTES: limit(1024 * 1024, "An answer of that backend is no longer than this, unpacked."),
  SIGN_OUT_MS: limit(
    1000,
    "Ending a session at the backend takes this long at most; then the portal takes the cookie away itself.",
  ),
  STOP_NOTICE_MS: limit(
    1,
    "After SIGTERM `/readyz` says no for this long and all goes on, so that load balancers that ask regularly notice. nginx needs none.",
  ),
  STOP_IDLE_MS: limit(
    1500,
    "Then a kept connection may bring one more request within this time. The proxy before it must hang up sooner (nginx: after 1 s).",
  ),
  STOP_MS: limit(10_000, "The process is gone this long after the notice, finished or not."),
  READY_MS: limit(2000, "What `/readyz` asks (database or backend) has answered by then, or is not ready."),
  READY_FRESH_MS: limit(
    1000,
    "An answer of `/readyz` is good for this long, whoever asks: it can't be used to load the database.",
  ),
};

const DATABASE = {
  DATABASE_CONNECT_MS: limit(
    2000,
    "A connection to PostgreSQL, a new one or one of the pool, is there by then or the answer is 503.",
  ),
  DATABASE_QUERY_MS: limit(3000, "A statement ends by then …"),
  DATABASE_LOCK_MS: limit(2000, "… and waits no longer than this for another process that changes the same."),
  DATABASE_IDLE_TRANSACTION_MS: limit(
    5000,
    "A transaction whose process says nothing for so long is undone, so that nobody waits for it.",
  ),
};

/** The limits in the groups of the documentation. */
export const LIMIT_GROUPS = {
  sessions: SESSIONS,
  codes: CODES,
  passwords: PASSWORDS,
  messages: MESSAGES,
  work: WORK,
  postgresql: DATABASE,
} satisfies Record<string, Record<string, Limit>>;

const ALL = { ...SESSIONS, ...CODES, ...PASSWORDS, ...MESSAGES, ...WORK, ...DATABASE };

/** The name of a limit; its variable is `LIMIT_` and this. */
export type LimitName = keyof typeof ALL;
/** Each limit's value in force. */
export type Limits = Readonly<Record<LimitName, number>>;

/** All names, for reading the environment. */
export const LIMIT_NAMES = Object.keys(ALL) as readonly LimitName[];

/** The limits of a mode before any variable changes them. */
export function defaultLimits(mode: "demo" | "production"): Limits {
  const inForce = ({ value, inDemo }: Limit) => (mode === "demo" ? inDemo : value);
  return Object.fromEntries(LIMIT_NAMES.map((name) => [name, inForce(ALL[name])])) as Limits;
}

/** The limits that the product promises: those of production. */
export const LIMITS = defaultLimits("production");
