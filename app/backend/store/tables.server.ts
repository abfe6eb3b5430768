import type { REGISTRY } from "./registry.server";
import type { ValueOf } from "./registry-entry.server";

type Registry = typeof REGISTRY;

/**
 * The tables as queries see them. Times are in milliseconds; `sealed` columns are encrypted; `…_hash` and `…_mac`
 * columns are one-way. There are no booleans or dates, so both databases store the same values.
 */
export type Tables = {
  [Table in keyof Registry]: {
    -readonly [Column in keyof Registry[Table]["columns"]]: ValueOf<Registry[Table]["columns"][Column]>;
  };
};
