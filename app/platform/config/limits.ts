import type { Limit } from "./limit";
import { LIMIT_GROUPS } from "./limit-list";

type Name = keyof Limits;

/**
 * Limits that have an order: the first of a pair is at most the second. The other way round, one of them would limit
 * nothing, or could never be met. Caps over all customers together are not here: lowering one below the cap of a single
 * number stops an attack.
 */
export const ORDERED_LIMITS: readonly (readonly [lower: Name, upper: Name])[] = [
  ["SESSION_IDLE_SECONDS", "SESSION_MAX_SECONDS"],
  ["CODE_TRIES", "CODE_TRIES_PER_DAY"],
  ["CODE_REPEAT_SECONDS", "CODE_LIFETIME_SECONDS"],
  ["LOCK_SECONDS", "LOCK_MAX_SECONDS"],
  // A lock that is forgotten has ended.
  ["LOCK_MAX_SECONDS", "LOCK_FORGOTTEN_SECONDS"],
  ["FACTOR_TRIES", "FACTOR_WRONG_IN_ROW"],
  ["FACTOR_STOP_SECONDS", "FACTOR_STOP_MAX_SECONDS"],
  ["SMS_OPEN_PER_10_MINUTES", "SMS_OPEN_PER_DAY"],
  ["SMS_KNOWN_PER_10_MINUTES", "SMS_KNOWN_PER_DAY"],
  ["SMS_RETRY_SECONDS", "SMS_RETRY_MAX_SECONDS"],
  ["SMS_STOP_MS", "STOP_MS"],
  ["MAIL_RETRY_SECONDS", "MAIL_RETRY_MAX_SECONDS"],
  ["MAIL_STOP_MS", "STOP_MS"],
  ["STOP_IDLE_MS", "STOP_MS"],
  ["HASH_PARALLEL", "HASH_PLACES"],
  ["HASH_HOLD_MS", "HASH_WAIT_MS"],
  ["ADDRESS_CONNECTIONS", "CONNECTIONS"],
  ["FIRST_HEAD_MS", "REQUEST_MS"],
  ["SIGN_OUT_MS", "BACKEND_MS"],
  ["DATABASE_LOCK_MS", "DATABASE_QUERY_MS"],
  ["DOCTOR_CERTIFICATE_PROBLEM_DAYS", "DOCTOR_CERTIFICATE_WARNING_DAYS"],
  ["DOCTOR_CLOCK_WARNING_MS", "DOCTOR_CLOCK_PROBLEM_MS"],
  ["DOCTOR_DISK_PROBLEM_MB", "DOCTOR_DISK_WARNING_MB"],
  ["DOCTOR_SMS_WARNING_SECONDS", "DOCTOR_SMS_PROBLEM_SECONDS"],
];

/**
 * A sentence for each pair in the wrong order.
 * @param isSet whether the operator has set a limit: the sentence begins with one that is set
 */
export function limitsOutOfOrder(limits: Limits, isSet: (name: Name) => boolean): readonly string[] {
  return ORDERED_LIMITS.filter(([lower, upper]) => limits[lower] > limits[upper]).map(([lower, upper]) =>
    isSet(upper)
      ? `LIMIT_${upper}: expected at least LIMIT_${lower}`
      : `LIMIT_${lower}: expected at most LIMIT_${upper}`,
  );
}

const {
  sessions,
  codes,
  factors,
  passwords,
  messages,
  notices,
  mailNotices,
  work,
  documents,
  postgresql,
  doctor,
} = LIMIT_GROUPS;
const ALL = {
  ...sessions,
  ...codes,
  ...factors,
  ...passwords,
  ...messages,
  ...notices,
  ...mailNotices,
  ...work,
  ...documents,
  ...postgresql,
  ...doctor,
};

/** A limit's name; its variable is `LIMIT_` plus this name. */
type LimitName = keyof typeof ALL;
/** The value of each limit in force. */
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

const DAY_SECONDS = 24 * 60 * 60;
/** No cookie lives longer, in seconds (specification §9). */
const COOKIE_SECONDS = 30 * DAY_SECONDS;
/** The limits that are lifetimes of cookies, each with its unit in seconds. Other cookies end with the visit. */
export const COOKIE_LIFETIMES: Readonly<Partial<Record<string, number>>> = {
  TRUSTED_DEVICE_DAYS: DAY_SECONDS,
  KNOWN_BROWSER_DAYS: DAY_SECONDS,
  COOKIE_CONSENT_SECONDS: 1,
  FLOW_SECONDS: 1,
  NEWS_SEEN_SECONDS: 1,
  PASSKEY_OFFER_SECONDS: 1,
};

/** The largest value that a limit may have. */
export function largest(name: LimitName): number {
  const unit = COOKIE_LIFETIMES[name];
  return unit === undefined ? 2_147_483_647 : COOKIE_SECONDS / unit;
}

/** The longest lifetime of a cookie, in whole days. */
export function longestCookieDays(limits: Limits): number {
  const days = LIMIT_NAMES.map((name) => (limits[name] * (COOKIE_LIFETIMES[name] ?? 0)) / DAY_SECONDS);
  return Math.ceil(Math.max(...days));
}
