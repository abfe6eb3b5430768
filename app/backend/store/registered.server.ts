import { REGISTRY } from "./registry.server";
import type { Registered } from "./registry-entry.server";
import type { Tables } from "./tables.server";

/** The registry, typed so that `goesWith` must name a table. */
const ENTRIES: Readonly<Record<keyof Tables, Registered<keyof Tables>>> = REGISTRY;

/**
 * How a column tells the key of its row. `prefix`: its value begins with the key's version. `version`: its value is the
 * version. The column's name says which. Any other encrypted column uses the key that such a column names.
 */
type Keyed = "prefix" | "version";

/** Columns that use the key in their row's `…_version` column; parts of a document use that of the document's row. */
type KeyInRow = "content_sealed" | "password_sealed";
const KEY_IN_ROW: readonly string[] = ["content_sealed", "password_sealed"] satisfies KeyInRow[];

/** The columns of a table whose names say which key its rows need. */
export type KeyedColumn<Table extends keyof Tables, How extends Keyed> = How extends "version"
  ? Extract<keyof Tables[Table], `${string}_version`>
  : Exclude<Extract<keyof Tables[Table], `${string}_sealed` | `${string}_index` | "erased_hash">, KeyInRow>;

/** The tables whose rows need keys. */
export type KeyedTable = {
  [Table in keyof Tables]: KeyedColumn<Table, Keyed> extends never ? never : Table;
}[keyof Tables];

/** The tables with rows about people. */
export type PersonTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table]["of"] extends "no person" ? never : Table;
}[keyof Tables];

/** The tables with rows about people, in the order of the registry. */
export const PERSON_TABLES = (Object.keys(ENTRIES) as (keyof Tables)[]).filter(
  (table): table is PersonTable => ENTRIES[table].of !== "no person",
);

/** The tables that the purge deletes rows of. */
export type ExpiringTable = {
  [Table in keyof Tables]: (typeof REGISTRY)[Table] extends { readonly expires: true } ? Table : never;
}[keyof Tables];

const NAMED: Readonly<Record<Keyed, RegExp>> = {
  prefix: /_sealed$|_index$|^erased_hash$/,
  version: /_version$/,
};

/** The columns of a table that tell the key of its rows in this form. */
export function columnsKeyed<Table extends keyof Tables, How extends Keyed>(
  table: Table,
  how: How,
): readonly (KeyedColumn<Table, How> & string)[] {
  const names = Object.keys(ENTRIES[table].columns);
  const keyed = names.filter((name) => NAMED[how].test(name) && !KEY_IN_ROW.includes(name));
  return keyed as (KeyedColumn<Table, How> & string)[];
}
