import type { Selectable } from "kysely";
import type { Limits } from "~/platform/config/limits";
import { type Keyring, open } from "../../secrets/keyring.server";
import type { Tables } from "../../store/tables.server";
import type { PersonTable, Row } from "./person-tables.server";

/** Why an id of the portal is not exported … */
export const OWN_ID = "a random number made by the portal";
/** … and why a reference to another row is not. */
export const LINK = "a link within the portal";

/** How a column is exported: under a plain name, or not at all. */
export type Column =
  | { readonly as: string; readonly read: (stored: unknown, at: Place) => unknown }
  | { readonly leftOut: string };

/** What it takes to decrypt a column. */
interface Place {
  readonly keyring: Keyring;
  readonly table: PersonTable;
  readonly column: string;
  readonly row: string;
}

/** How a table is exported: what it is, how long it is kept, and each of its columns. */
export interface Part<Table extends PersonTable = PersonTable> {
  readonly as: string;
  readonly about: string;
  readonly kept: (limits: Limits) => string;
  readonly columns: Readonly<Record<keyof Selectable<Tables[Table]>, Column>>;
}

/** Exports the stored value. */
export function plain(as: string): Column {
  return { as, read: (stored) => stored ?? undefined };
}

/** Exports a moment in ISO 8601; 0 means never. */
export function moment(as: string): Column {
  return {
    as,
    read: (stored) => (typeof stored === "number" && stored > 0 ? new Date(stored).toISOString() : undefined),
  };
}

/** Exports the decrypted value. @throws Error if the value was changed, or its key is not in the keyring */
export function sealed(as: string): Column {
  return {
    as,
    read: (stored, { keyring, ...place }) =>
      typeof stored === "string" && stored !== "" ? open(keyring, place, stored) : undefined,
  };
}

/** Exports only the words of a key such as `codes|policies|open|…`. */
export function words(as: string): Column {
  const isWord = (piece: string) => /^[a-zA-Z]+(-[a-z]+)*$|^10-minutes$/.test(piece);
  return { as, read: (stored) => String(stored).split("|").filter(isWord).join(", ") };
}

/** Leaves a column out, and says why. */
export function without(leftOut: string): Column {
  return { leftOut };
}

/** A row under the plain names. */
export function shown(keyring: Keyring, table: PersonTable, columns: Part["columns"], row: Row) {
  const entries = Object.entries<Column>(columns).flatMap(([column, how]) => {
    const place = { keyring, table, column, row: String(row["id"]) };
    return "leftOut" in how ? [] : [[how.as, how.read(row[column], place)] as const];
  });
  return Object.fromEntries(entries);
}
