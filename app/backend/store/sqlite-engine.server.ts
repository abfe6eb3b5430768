import type * as Packaged from "@photostructure/sqlite";

/** What this process uses of SQLite: the interface of Node's own `node:sqlite`, which the package has as well. */
type SqliteEngine = Pick<typeof Packaged, "DatabaseSync" | "backup">;

/** In Node 22 it is experimental, and says so on stderr. */
const FIRST_NODE = 24;
/** Earlier ones can damage a database whose log two processes write: a portal and a command (sqlite.org/wal.html#walresetbug). */
const FIRST_SQLITE = "3.51.3";

/**
 * Node's own SQLite, from Node 24.15; elsewhere the package's, which is never loaded otherwise
 * (docs/decisions/sqlite.md).
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

/** Node's types are those of Node 20, which has no such module. */
function isEngine(found: object | undefined): found is SqliteEngine {
  return found !== undefined && "DatabaseSync" in found && "backup" in found;
}
