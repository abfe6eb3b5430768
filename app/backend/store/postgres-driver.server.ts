import { createRequire } from "node:module";
import type * as Driver from "pg";

const require = createRequire(import.meta.url);

/**
 * PostgreSQL's driver, loaded when it is first needed. A process on SQLite never needs it, and would pay 30 ms: the driver
 * asks for the global `Response`, and so Node loads its HTTP client.
 */
export function postgresDriver(): typeof Driver {
  return require("pg") as typeof Driver;
}
