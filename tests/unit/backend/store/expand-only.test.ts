import { expect, it } from "vitest";
import { isExpansion, MIGRATION_NAMES, NEEDED_MIGRATION } from "~/backend/store/migrations/run.server";
import { onEachDatabase, type DatabaseKind } from "../../../database";
import { makeTablesUpTo } from "./previous-release";
import { barePlace, type Place } from "../test-place";

interface Column {
  readonly place: string;
  readonly type: string;
  /** Whether an insert that doesn't name it works. */
  readonly mayBeLeftOut: boolean;
}

const COLUMNS: Readonly<Record<DatabaseKind, string>> = {
  sqlite: `select tables.name || '.' || columns.name as place, columns.type as type,
      columns."notnull" = 0 or columns.dflt_value is not null or columns.pk > 0 as left_out
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.name not like 'kysely%' and tables.name not like 'sqlite%'`,
  postgres: `select table_name || '.' || column_name as place, data_type as type,
      is_nullable = 'YES' or column_default is not null as left_out
    from information_schema.columns
    where table_schema = 'public' and table_name not like 'kysely%'`,
};

async function columnsOf(kind: DatabaseKind, place: Place): Promise<readonly Column[]> {
  const rows = await place.query(COLUMNS[kind]);
  return rows.map(({ place: where, type, left_out }) => ({
    place: String(where),
    type: String(type),
    mayBeLeftOut: left_out === true || left_out === 1,
  }));
}

const tableOf = ({ place }: Column) => place.split(".")[0];

/** The changes that would keep the previous release from working on the tables, in words. */
function contractions(before: readonly Column[], after: readonly Column[]): string[] {
  const tables = new Set(before.map(tableOf));
  const typeOf = new Map(after.map(({ place, type }) => [place, type]));
  const lost = before
    .filter(({ place, type }) => typeOf.get(place) !== type)
    .map(({ place, type }) => `${place} is ${typeOf.get(place) ?? "gone"}, not ${type}`);
  const known = new Set(before.map(({ place }) => place));
  const demanded = after
    .filter((column) => tables.has(tableOf(column)) && !known.has(column.place) && !column.mayBeLeftOut)
    .map(({ place }) => `${place} is new, and every insert must name it`);
  return [...lost, ...demanded];
}

onEachDatabase((kind) => {
  it("[S117] a migration takes nothing away from the previous release, so operators can go back to it", async () => {
    const place = await barePlace(kind);
    const [first = "", ...others] = MIGRATION_NAMES.slice(MIGRATION_NAMES.indexOf(NEEDED_MIGRATION));
    await makeTablesUpTo(place, first);
    let before = await columnsOf(kind, place);
    expect(before.length).toBeGreaterThan(0);
    for (const name of others) {
      await makeTablesUpTo(place, name);
      const after = await columnsOf(kind, place);
      expect([name, contractions(before, after)]).toEqual([name, []]);
      before = after;
    }
  });
});

it("[S117] the present release can't serve after a migration that takes something away", () => {
  expect(isExpansion(["9998-adds"], "0001-takes")).toBe(true);
  expect(isExpansion(["9998-adds", "9999-takes"], "9999-takes")).toBe(false);
});
