import { allMigrations, runMigrations } from "../migrations/run.server";
import { SqliteConnection } from "../sqlite-connection.server";
import { inSqlite } from "../sqlite-migrations.server";
import { openSqliteFileAsItIs } from "../sqlite-store.server";
import { sql } from "kysely";
import type { Reader } from "../store.server";
import type { SchemaObjects } from "./schema-objects.server";

interface SchemaRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

const ROWS = "select type, name, tbl_name, sql from sqlite_schema";
/** SQLite makes these for `analyze`, which an operator may have run. They hold numbers. */
const STATISTICS = [
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
];

/** The schema of an open database. */
export async function schemaOfSqlite(db: Reader): Promise<SchemaObjects> {
  return objectsOf((await sql.raw<SchemaRow>(ROWS).execute(db)).rows);
}

/** The tables of a file from elsewhere, as it describes them. */
export interface ForeignFile {
  readonly applicationId: unknown;
  readonly objects: SchemaObjects;
  /** The names of its migrations, in order. */
  readonly migrations: readonly string[];
}

/**
 * Reads the schema of a file that anyone may have made: without writing, and without running anything in it.
 * @throws Error if it is no database
 */
export function schemaOfFile(file: string): ForeignFile {
  const database = new SqliteConnection(file, { mode: "ro" });
  try {
    database.exec("pragma trusted_schema = off");
    database.exec("pragma cell_size_check = on");
    const applicationId = database.value("pragma application_id");
    const objects = objectsOf(database.rows<SchemaRow>(ROWS));
    // Not from a view: an untrusted file could run its own statement.
    if (!objects.has("table kysely_migration")) return { applicationId, objects, migrations: [] };
    const rows = database.rows<{ name: string }>("select name from kysely_migration order by name");
    return { applicationId, objects, migrations: rows.map(({ name }) => name) };
  } finally {
    database.close();
  }
}

/** The schema after these migrations, made in memory. */
export async function migratedSqlite(names: readonly string[]): Promise<SchemaObjects> {
  const db = openSqliteFileAsItIs(":memory:");
  try {
    const all = Object.entries(allMigrations(inSqlite));
    await runMigrations(db, Object.fromEntries(all.filter(([name]) => names.includes(name))));
    return await schemaOfSqlite(db);
  } finally {
    await db.destroy();
  }
}

function objectsOf(rows: readonly SchemaRow[]): SchemaObjects {
  const own = rows.filter((row) => row.type !== "table" || !STATISTICS.includes(row.sql ?? ""));
  return new Map(
    own.map(({ type, name, tbl_name: table, sql: text }) => [
      type === "table" || type === "view" ? `${type} ${name}` : `${type} ${name} on ${table}`,
      inTokens(text ?? ""),
    ]),
  );
}

/** Statements are the same in any layout: earlier releases may have broken their lines elsewhere. */
function inTokens(statement: string): string {
  return (statement.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\w+|\S/g) ?? []).join(" ");
}
