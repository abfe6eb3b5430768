import { sql } from "kysely";
import type { Store } from "~/backend/store/store.server";

/** Bytes of each table with its indexes, and of partitions as of one table. */
export type TableBytes = ReadonlyMap<string, number>;

/** Reads how large the tables are now. */
export async function tableBytes({ read }: Pick<Store, "read">): Promise<TableBytes> {
  const query = read.isPostgres
    ? sql<Size>`select coalesce(parent.relname, part.relname)::text as name,
          sum(pg_total_relation_size(part.oid))::float8 as bytes
        from pg_class as part
        left join pg_inherits on inhrelid = part.oid
        left join pg_class as parent on parent.oid = inhparent
        where part.relkind = 'r' and part.relnamespace = 'public'::regnamespace
        group by 1`
    : sql<Size>`select tbl_name as name, sum(pgsize) as bytes
        from dbstat join sqlite_master using (name) group by tbl_name`;
  const { rows } = await query.execute(read);
  return new Map(rows.map(({ name, bytes }) => [name, bytes]));
}

interface Size {
  readonly name: string;
  readonly bytes: number;
}

/** By how much these tables have grown. */
export function growth(before: TableBytes, after: TableBytes, ...tables: readonly string[]): number {
  return tables.reduce((sum, name) => sum + (after.get(name) ?? 0) - (before.get(name) ?? 0), 0);
}

/** The size of all tables. */
export function wholeSize(sizes: TableBytes): number {
  return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
}
