import { sql, type RawBuilder, type Selectable } from "kysely";
import type { Reader, Tx } from "./store.server";
import type { Tables } from "./tables.server";

/*
 * A list of any length is passed as one JSON parameter. So the statement is always the same, is compiled and planned
 * once, and never exceeds the limit on parameters.
 */

/** An expression for an insert: these columns of the rows. Values must be text or null. */
export function listedRows<Column extends string>(
  db: Reader,
  columns: readonly Column[],
  rows: readonly Readonly<Record<Column, string | null>>[],
): RawBuilder<unknown> {
  const json = JSON.stringify(rows);
  // SQLite needs a condition to tell an insert's "on conflict" from a join's "on".
  if (!db.isPostgres)
    return sql`select ${sql.join(columns.map((name) => sql`value ->> ${sql.lit(name)}`))} from json_each(${json}) where true`;
  const names = sql.join(columns.map((name) => sql.ref(name)));
  const types = sql.join(columns.map((name) => sql`${sql.ref(name)} text`));
  return sql`select ${names} from json_to_recordset(${json}) as listed (${types})`;
}

/**
 * Finds the rows whose column is one of these values. Each is looked up in the column's index.
 * @param only the condition of an index that has only some rows
 */
export async function rowsAmong<Name extends keyof Tables>(
  reader: Reader,
  table: Name,
  column: string & keyof Tables[Name],
  values: readonly string[],
  only: RawBuilder<boolean> = EVERY_ROW,
): Promise<Selectable<Tables[Name]>[]> {
  return find(reader, table, column, values, { only, each: sql`offset 0` });
}

const EVERY_ROW = sql<boolean>`1 = 1`;

/** Like `rowsAmong`, but sorted by the column, and locks the rows until the transaction ends. */
export async function lockedRowsAmong<Name extends keyof Tables>(
  tx: Tx,
  table: Name,
  column: string & keyof Tables[Name],
  values: readonly string[],
): Promise<Selectable<Tables[Name]>[]> {
  return find(tx, table, column, values, { only: EVERY_ROW, each: sql`for no key update` });
}

/**
 * PostgreSQL keeps the plan that it made while a table was small, and would go on scanning the table after it has
 * grown. So each value is a look-up of its own (`lateral`), and `each` keeps the planner from turning that into a join.
 */
async function find<Name extends keyof Tables>(
  reader: Reader,
  table: Name,
  column: string,
  values: readonly string[],
  { only, each }: { readonly only: RawBuilder<boolean>; readonly each: RawBuilder<unknown> },
): Promise<Selectable<Tables[Name]>[]> {
  if (values.length === 0) return [];
  const json = JSON.stringify(values);
  const query = reader.isPostgres
    ? sql<Selectable<Tables[Name]>>`select found.*
        from (select value from json_array_elements_text(${json}) as listed (value) order by value) as wanted
        cross join lateral (select * from ${sql.table(table)} where ${sql.ref(column)} = wanted.value and ${only} ${each}) as found`
    : sql<Selectable<Tables[Name]>>`select * from ${sql.table(table)}
        where ${sql.ref(column)} in (select value from json_each(${json})) and ${only} order by ${sql.ref(column)}`;
  const { rows } = await query.execute(reader);
  return rows;
}
