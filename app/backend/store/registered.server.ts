import { REGISTRY } from "./registry.server";
import type { Registered } from "./registry-entry.server";
import type { Tables } from "./tables.server";

/** The same registry; an entry that goes with a table that isn't there is a type error here. */
const ENTRIES: Readonly<Record<keyof Tables, Registered<keyof Tables>>> = REGISTRY;

/**
 * How a column tells which key its row needs, as its name says: `prefix` if the value begins with the key's version,
 * `version` if it is that. Other values need the key of such a column in their row.
 */
type Keyed = "prefix" | "version";

/** Sealed with the key that the row's version names; for the parts of a document, the one in the document's row. */
type OfRow = "content_sealed" | "password_sealed";
const OF_ROW: readonly string[] = ["content_sealed", "password_sealed"] satisfies OfRow[];

/** The columns of a table whose names say which key its rows need. */
export type KeyedColumn<Table extends keyof Tables, How extends Keyed> = How extends "version"
  ? Extract<keyof Tables[Table], `${string}_version`>
  : Exclude<Extract<keyof Tables[Table], `${string}_sealed` | `${string}_index` | "erased_hash">, OfRow>;

/** The tables whose rows need keys. */
export type KeyedTable = {
  [Table in keyof Tables]: KeyedColumn<Table, Keyed> extends never ? never : Table;
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

const NAMED: Readonly<Record<Keyed, RegExp>> = {
  prefix: /_sealed$|_index$|^erased_hash$/,
  version: /_version$/,
};

/** The names of these columns. */
export function columnsKeyed<Table extends keyof Tables, How extends Keyed>(
  table: Table,
  how: How,
): readonly (KeyedColumn<Table, How> & string)[] {
  const names = Object.keys(ENTRIES[table].columns);
  const keyed = names.filter((name) => NAMED[how].test(name) && !OF_ROW.includes(name));
  return keyed as (KeyedColumn<Table, How> & string)[];
}
