/**
 * The objects of a database's schema: the name of each object, such as `trigger spy on accounts`, and its definition
 * in a form that can be compared.
 */
export type SchemaObjects = ReadonlyMap<string, string>;

/** The differences from the schema that the migrations make. Each list has the names of objects. */
export interface SchemaDifference {
  /** Objects that no migration makes. */
  readonly foreign: readonly string[];
  /** The migrations make it otherwise. */
  readonly changed: readonly string[];
  readonly missing: readonly string[];
}

/** Compares a schema with the expected one. */
export function compareSchemas(found: SchemaObjects, expected: SchemaObjects): SchemaDifference {
  const names = [...found.keys()].toSorted();
  return {
    foreign: names.filter((name) => !expected.has(name)),
    changed: names.filter((name) => expected.has(name) && expected.get(name) !== found.get(name)),
    missing: [...expected.keys()].filter((name) => !found.has(name)).toSorted(),
  };
}

const MOST_NAMED = 5;

/** The differences for an operator; undefined if there are none. */
export function differenceInWords({ foreign, changed, missing }: SchemaDifference): string | undefined {
  const parts = [
    inWords("not made by the migrations:", foreign),
    inWords("changed:", changed),
    inWords("missing:", missing),
  ].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join("; ");
}

function inWords(what: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const rest = names.length - MOST_NAMED;
  return `${what} ${names.slice(0, MOST_NAMED).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
