import { SETTABLE_LIMITS, LIMITS } from "~/platform/config/limits";

type Variables = Readonly<Record<string, string>>;

/** The limits that the product ships with; a demo and the tests' topologies have others. */
export const SHIPPED: Variables = Object.fromEntries(
  SETTABLE_LIMITS.map((name) => [`LIMIT_${name}`, String(LIMITS[name])]),
);

/** Limits high enough not to end a measurement, all of which comes from one address. */
export function withoutLimits(...names: readonly string[]): Variables {
  return Object.fromEntries(names.map((name) => [`LIMIT_${name}`, "1000000000"]));
}

/** Lifts the caps of one address in a period. Caps of phone numbers count as shipped. */
export const ADDRESS_RATES_LIFTED = withoutLimits(...namesLike(/^ADDRESS_.*_PER_/));

/** Lifts the caps of one address, one number and all together in a period. Tries and locks count as shipped. */
export const RATES_LIFTED = withoutLimits(...namesLike(/^(ADDRESS|SMS)_.*_PER_/));

/** A busy machine may be slow: waiting costs no processor time, and a 503 would look like a fault. */
export const PATIENT: Variables = {
  LIMIT_HASH_WAIT_MS: "60000",
  LIMIT_DATABASE_CONNECT_MS: "30000",
  LIMIT_DATABASE_QUERY_MS: "30000",
  LIMIT_DATABASE_LOCK_MS: "30000",
};

function namesLike(pattern: RegExp): readonly string[] {
  return SETTABLE_LIMITS.filter((name) => pattern.test(name));
}
