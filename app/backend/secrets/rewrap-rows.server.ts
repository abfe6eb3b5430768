import { type RawBuilder, type Selectable, sql } from "kysely";
import type { Keyring } from "./keyring.server";
import { columnsKeyed, type KeyedTable } from "../store/registered.server";
import type { Reader, Store, Tx } from "../store/store.server";
import type { Tables } from "../store/tables.server";

/** Small, so that a running portal hardly waits. */
const BATCH = 50;

/**
 * Moves the rows of a table to the current key, in batches, and returns how many it moved. Rows that change meanwhile
 * are left alone.
 * @param id the primary key
 * @param rewrap the columns of a row under the current key; empty if there is nothing to move
 */
export function rewrapRows<Table extends KeyedTable>(
  table: Table,
  id: keyof Selectable<Tables[Table]> & string,
  rewrap: (keyring: Keyring, row: Selectable<Tables[Table]>) => Partial<Selectable<Tables[Table]>>,
) {
  return async (store: Store, keyring: Keyring): Promise<number> => {
    let moved = 0;
    for (let rest: RawBuilder<unknown> | undefined = sql`1 = 1`; rest !== undefined;) {
      const outdated: Row[] = await batchOf(store.read, { table, id, rest, keyring });
      const changes = outdated.flatMap((row) => {
        const columns = Object.entries(rewrap(keyring, row as Selectable<Tables[Table]>));
        return columns.length > 0 ? [{ row, columns }] : [];
      });
      if (changes.length > 0)
        await store.write(async (tx) => {
          for (const { row, columns } of changes) await change(tx, { table, id }, row, columns);
        });
      moved += changes.length;
      const last = outdated[BATCH - 1];
      rest = last && sql`${sql.ref(id)} > ${last[id]}`;
    }
    return moved;
  };
}

type Row = Readonly<Record<string, unknown>>;

/** A table and its primary key. */
interface Identified {
  readonly table: KeyedTable;
  readonly id: string;
}

async function batchOf(
  reader: Reader,
  {
    table,
    id,
    rest,
    keyring,
  }: Identified & { readonly rest: RawBuilder<unknown>; readonly keyring: Keyring },
): Promise<Row[]> {
  const query = sql<Row>`
    select * from ${sql.table(table)} where ${rest} and (${isOutdated(table, keyring)})
    order by ${sql.ref(id)} limit ${BATCH}`;
  return (await query.execute(reader)).rows;
}

async function change(
  tx: Tx,
  { table, id }: Identified,
  row: Row,
  columns: readonly (readonly [string, unknown])[],
): Promise<void> {
  const changed = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const asRead = columns.map(([name]) => sql`${sql.ref(name)} is not distinct from ${row[name]}`);
  const query = sql`
    update ${sql.table(table)} set ${sql.join(changed)}
    where ${sql.ref(id)} = ${row[id]} and ${sql.join(asRead, sql` and `)}`;
  await query.execute(tx);
}

function isOutdated(table: KeyedTable, keyring: Keyring): RawBuilder<unknown> {
  const current = `${keyring.current}.%`;
  const conditions = [
    ...columnsKeyed(table, "prefix").map((column) => sql`${sql.ref(column)} not like ${current}`),
    ...columnsKeyed(table, "version").map((column) => sql`${sql.ref(column)} <> ${keyring.current}`),
  ];
  return sql.join(conditions, sql` or `);
}
