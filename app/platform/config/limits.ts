import type { Limit } from "./limit";
import { LIMIT_GROUPS } from "./limit-list";

const { sessions, codes, passwords, messages, notices, work, documents, postgresql, doctor } = LIMIT_GROUPS;
const ALL = {
  ...sessions,
  ...codes,
  ...passwords,
  ...messages,
  ...notices,
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
