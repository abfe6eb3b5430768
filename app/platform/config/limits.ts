import { CONSTANT_LIMITS } from "./constant-limits";
import { type Limit, LIMIT_GROUPS } from "./limit-list";

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
  ["SIGN_OUT_MS", "BACKEND_MS"],
  ["DATABASE_LOCK_MS", "DATABASE_QUERY_MS"],
];

/**
 * A sentence for each pair in the wrong order.
 * @param isSet whether the operator has set a limit: the sentence begins with one that is set
 */
export function limitsOutOfOrder(limits: Limits, isSet: (name: Name) => boolean): readonly string[] {
  const isConstant = (name: Name) => name in CONSTANT_LIMITS;
  const named = (name: Name) => (isConstant(name) ? String(limits[name]) : `LIMIT_${name}`);
  return ORDERED_LIMITS.filter(([lower, upper]) => limits[lower] > limits[upper]).map(([lower, upper]) =>
    isSet(upper) && !isConstant(upper)
      ? `LIMIT_${upper}: expected at least ${named(lower)}`
      : `LIMIT_${lower}: expected at most ${named(upper)}`,
  );
}

type Groups = typeof LIMIT_GROUPS;
/** The name of a limit that an operator may set; its variable is `LIMIT_` plus this name. */
export type SettableLimit = { [Group in keyof Groups]: keyof Groups[Group] }[keyof Groups];
/** The value of each limit in force. */
export type Limits = Readonly<Record<SettableLimit | keyof typeof CONSTANT_LIMITS, number>>;

const SETTABLE = Object.fromEntries(
  Object.values(LIMIT_GROUPS).flatMap((group) => Object.entries<Limit>(group)),
) as Readonly<Record<SettableLimit, Limit>>;

/** All names of limits that an operator may set. */
export const SETTABLE_LIMITS = Object.keys(SETTABLE) as readonly SettableLimit[];

/** The limits of a mode before any variable changes them. */
export function defaultLimits(mode: "demo" | "production"): Limits {
  const inForce = ({ value, inDemo }: Limit) => (mode === "demo" ? inDemo : value);
  const settable = Object.fromEntries(SETTABLE_LIMITS.map((name) => [name, inForce(SETTABLE[name])]));
  return { ...CONSTANT_LIMITS, ...(settable as Record<SettableLimit, number>) };
}

/** The limits that the product promises: production's. */
export const LIMITS = defaultLimits("production");

const DAY_SECONDS = 24 * 60 * 60;
/** No cookie lives longer (specification §9); news and the offer of a passkey are remembered for as long. */
export const LONGEST_COOKIE_DAYS = 30;
/** The settable lifetimes of cookies, each with its unit in seconds. */
export const COOKIE_LIFETIMES: Readonly<Partial<Record<string, number>>> = {
  TRUSTED_DEVICE_DAYS: DAY_SECONDS,
  KNOWN_BROWSER_DAYS: DAY_SECONDS,
  COOKIE_CONSENT_SECONDS: 1,
  FLOW_SECONDS: 1,
};

/** The largest value that a limit may have. */
export function largest(name: SettableLimit): number {
  const unit = COOKIE_LIFETIMES[name];
  return unit === undefined ? 2_147_483_647 : (LONGEST_COOKIE_DAYS * DAY_SECONDS) / unit;
}
