import { REGISTRY } from "./registry.server";
import type { Column, ColumnNamed, Keyed, Registered } from "./registry-entry.server";
import type { Tables } from "./tables.server";

/** An entry whose columns are keyed as their names say, and go with a table that there is. */
interface Entry<Columns> extends Registered<keyof Tables> {
  readonly columns: { readonly [Name in keyof Columns]: ColumnNamed<Name> };
}

/** The same registry; a wrong entry is a type error here. */
const ENTRIES: { readonly [Table in keyof Tables]: Entry<Tables[Table]> } = REGISTRY;

type ColumnsOf<Table extends keyof Tables> = (typeof REGISTRY)[Table]["columns"];

/** The columns of a table that are keyed in one of these ways. */
export type KeyedColumn<Table extends keyof Tables, How extends Keyed> = {
  [Name in keyof ColumnsOf<Table>]: ColumnsOf<Table>[Name] extends { readonly keyed: How } ? Name : never;
}[keyof ColumnsOf<Table>];

/** The tables whose rows need keys. */
export type KeyedTable = {
  [Table in keyof Tables]: KeyedColumn<Table, "prefix" | "version"> extends never ? never : Table;
}[keyof Tables];

/** The tables with rows about people. */
export type PersonTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table]["of"] extends "no person" ? never : Table;
}[keyof Tables];

/** These tables, in the order of the registry. */
export const PERSON_TABLES = (Object.keys(ENTRIES) as (keyof Tables)[]).filter(
  (table): table is PersonTable => ENTRIES[table].of !== "no person",
);

/** The tables that the purge deletes rows of. */
export type ExpiringTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table] extends { readonly expires: true } ? Table : never;
}[keyof Tables];

/** The names of a table's columns that are keyed in this way. */
export function columnsKeyed<Table extends keyof Tables, How extends Keyed>(
  table: Table,
  how: How,
): readonly (KeyedColumn<Table, How> & string)[] {
  const columns: Readonly<Record<string, Column>> = ENTRIES[table].columns;
  const names = Object.keys(columns).filter((name) => columns[name]?.keyed === how);
  return names as (KeyedColumn<Table, How> & string)[];
}
