import { makeDatabase, type TestDatabase } from "../../../database";
import { newDataDir, placeOnPostgres, type Place } from "../test-place";

/** A PostgreSQL database that can be reset to its first contents: filling one anew takes as long as many tests. */
export class FilledDatabase {
  readonly database: TestDatabase;
  readonly dataDir: string;
  readonly #restoreSql: string;

  private constructor(database: TestDatabase, dataDir: string, tables: readonly string[]) {
    this.database = database;
    this.dataDir = dataDir;
    // Tables come in creation order, so referenced tables come first.
    const deletes = [...tables].reverse().map((table) => `delete from ${table}`);
    const inserts = tables.map((table) => `insert into ${table} select * from filled.${table}`);
    this.#restoreSql = [...deletes, ...inserts].join(";");
  }

  /** Creates and fills a database. `fill` must leave no connection open. */
  static async make(fill: (place: Place) => Promise<void>): Promise<FilledDatabase> {
    const database = await makeDatabase();
    const dataDir = newDataDir();
    await fill(placeOnPostgres(database, dataDir));
    const rows = await database.query(`
      select relname from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'public' and relkind in ('r', 'p') and not relispartition and relname not like 'kysely%'
      order by pg_class.oid`);
    const tables = rows.map(({ relname }) => String(relname));
    const copies = tables.map((table) => `create table filled.${table} as table ${table}`);
    await database.query(["create schema filled", ...copies].join(";"));
    return new FilledDatabase(database, dataDir, tables);
  }

  /** Resets the database to what `fill` left. */
  async restore(): Promise<void> {
    await this.database.query(this.#restoreSql);
  }
}
