import type { TestBackend } from "../test-backend";

/** A row of a table, with all its columns as one text. */
interface RowText {
  readonly table: string;
  readonly text: string;
}

/** The tables of the database, Kysely's too; on PostgreSQL the months of the audit as one. */
async function tablesOf(way: TestBackend): Promise<string[]> {
  const rows = way.place.on
    ? await way.query(
        `select relname as name from pg_class where relnamespace = 'public'::regnamespace
          and relkind in ('r', 'p') and not relispartition order by 1`,
      )
    : await way.query("select name from sqlite_schema where type = 'table' order by 1");
  return rows.map(({ name }) => String(name));
}

/** Every row of every table as text, with the bytes of documents unchanged. */
export async function textOfTables(way: TestBackend): Promise<RowText[]> {
  const rows: RowText[] = [];
  for (const table of await tablesOf(way))
    for (const row of await way.query(`select * from ${table} order by 1`)) {
      const columns = Object.entries(row).map(([column, value]) => `${column}=${textOf(value)}`);
      rows.push({ table, text: columns.join(" ") });
    }
  return rows;
}

function textOf(value: unknown): string {
  return Buffer.isBuffer(value) ? value.toString("latin1") : String(value);
}
