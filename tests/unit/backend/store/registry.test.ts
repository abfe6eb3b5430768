import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REGISTRY } from "~/backend/store/registry.server";
import { columnsKeyed, PERSON_TABLES } from "~/backend/store/registered.server";
import type { Column } from "~/backend/store/registry-entry.server";
import { TO_DROP } from "~/backend/store/previous-release.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

/** A version that no value begins with by chance. */
const KEY = { version: 91_370, key: randomBytes(32) };

onAnyDatabase((kind) => {
  describe("the registry of tables and columns", () => {
    let way: TestBackend;
    beforeAll(async () => {
      way = await openTestBackend({ kind, keyring: makeKeyring([KEY]) });
    });
    afterAll(() => way.close());

    it("[S91] has every table and column of the schema, and no other", async () => {
      const registered = Object.entries(REGISTRY).flatMap(([table, { columns }]) =>
        Object.keys(columns).map((column) => `${table}.${column}`),
      );
      const used = (await columnsOf(way)).filter(
        (name) => !TO_DROP.some((table) => name.startsWith(`${table}.`)),
      );
      expect(registered.toSorted()).toEqual(used.toSorted());
    });

    it("[S91] says of each column that an export leaves out why, and names the others differently", () => {
      for (const table of PERSON_TABLES) {
        const columns = Object.values<object>(REGISTRY[table].columns);
        const names = columns.flatMap((column) => ("as" in column ? [column.as] : []));
        expect(new Set(names).size, table).toBe(names.length);
        for (const [name, column] of Object.entries<Column>(REGISTRY[table].columns))
          if (name.endsWith("_sealed") && "form" in column)
            expect(column.form, `${table}.${name}`).toMatch(/^(?:sealed|premium)$/);
        for (const column of columns)
          if ("leftOut" in column) expect(column.leftOut, table).toMatch(/^\w.{4,}[^.]$/);
      }
      const parts = PERSON_TABLES.map((table) => REGISTRY[table].as).filter((as) => as !== null);
      expect(new Set(parts).size).toBe(parts.length);
    });

    it("[S84] knows which values begin with their key's version", async () => {
      const anna = new Browser(way);
      await anna.signIn(ANNA, "Y");
      await anna.login({ ...PIOTR, password: "Nie-To-Haslo-1" });
      // Without its key, the next import writes the hash of a document's content again.
      const rewritten = ["documents.content_mac"];
      const tables = (Object.keys(REGISTRY) as (keyof typeof REGISTRY)[]).filter((name) => name !== "facts");
      for (const table of tables)
        for (const column of Object.keys(REGISTRY[table].columns)) {
          const isKeyed = columnsKeyed(table, "prefix").some((name) => name === column);
          const beginning = `from ${table} where cast(${column} as text)`;
          const some = await way.query(`select 1 ${beginning} like ? limit 1`, `${KEY.version}.%`);
          const others = await way.query(
            `select 1 ${beginning} <> '' and cast(${column} as text) not like ? limit 1`,
            `${KEY.version}.%`,
          );
          if (some.length > 0 && !rewritten.includes(`${table}.${column}`))
            expect(isKeyed, `${table}.${column}`).toBe(true);
          if (others.length > 0) expect(isKeyed, `${table}.${column}`).toBe(false);
        }
    });
  });
});

/** Every column of the portal's own tables. */
async function columnsOf(way: TestBackend) {
  const rows = way.place.on
    ? await way.query(
        `select table_name as "table", column_name as "column" from information_schema.columns
          where table_schema = 'public' and table_name not like 'kysely%' and table_name !~ '^audit_events_'`,
      )
    : await way.query(
        `select tables.name as "table", columns.name as "column"
          from sqlite_schema tables, pragma_table_info(tables.name) columns
          where tables.type = 'table' and tables.name not like 'kysely%' and tables.name not like 'sqlite%'`,
      );
  return rows.map(({ table, column }) => `${String(table)}.${String(column)}`);
}
