import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { REGISTRY } from "~/backend/store/registry.server";
import { PERSON_TABLES } from "~/backend/store/registered.server";
import type { Column } from "~/backend/store/registry-entry.server";
import { TO_DROP } from "~/backend/store/release-before.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { Browser } from "../../contract/browser";
import { onAnyDatabase } from "../../database";
import { ANNA, PIOTR } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "./test-backend";

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
      for (const [table, { columns }] of Object.entries(REGISTRY).filter(([name]) => name !== "facts"))
        for (const [column, how] of Object.entries<Column>(columns)) {
          const beginning = `from ${table} where cast(${column} as text)`;
          const some = await way.query(`select 1 ${beginning} like ? limit 1`, `${KEY.version}.%`);
          const others = await way.query(
            `select 1 ${beginning} <> '' and cast(${column} as text) not like ? limit 1`,
            `${KEY.version}.%`,
          );
          if (some.length > 0) expect(how.keyed, `${table}.${column}`).toMatch(/^(prefix|rewritten)$/);
          if (others.length > 0) expect(how.keyed, `${table}.${column}`).not.toBe("prefix");
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
