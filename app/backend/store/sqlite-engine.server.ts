import type * as Packaged from "@photostructure/sqlite";

/** The part of SQLite that we use: the interface of Node's own `node:sqlite`, which the package implements, too. */
type SqliteEngine = Pick<typeof Packaged, "DatabaseSync" | "backup">;

/** In Node 22 `node:sqlite` is experimental, and says so on stderr. */
const FIRST_NODE = 24;
/**
 * Earlier versions can damage a database that two processes write to, such as a portal and a command
 * (sqlite.org/wal.html#walresetbug).
 */
const FIRST_SQLITE = "3.51.3";

/**
 * Node's own SQLite from Node 24.15 on, otherwise the package's, which is loaded only then (docs/decisions/sqlite.md).
 */
export const sqliteEngine: SqliteEngine = enginesOwn() ?? (await import("@photostructure/sqlite"));

function enginesOwn(): SqliteEngine | undefined {
  const { node, sqlite = "0" } = process.versions;
  if (Number.parseInt(node) < FIRST_NODE || isEarlier(sqlite, FIRST_SQLITE)) return undefined;
  const own = process.getBuiltinModule("node:sqlite");
  return isEngine(own) ? own : undefined;
}

function isEarlier(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}

/** We compile with the types of Node 20, which has no such module. */
function isEngine(found: object | undefined): found is SqliteEngine {
  return found !== undefined && "DatabaseSync" in found && "backup" in found;
}
