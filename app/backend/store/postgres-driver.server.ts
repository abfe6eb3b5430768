import { createRequire } from "node:module";
import type * as Driver from "pg";

const require = createRequire(import.meta.url);

/**
 * PostgreSQL's driver, loaded when it is first needed. It would cost a process on SQLite 30 ms: the driver uses the
 * global `Response`, which makes Node load its HTTP client.
 */
export function postgresDriver(): typeof Driver {
  return require("pg") as typeof Driver;
}
