import { DatabaseSync } from "@photostructure/sqlite";
import { Kysely } from "kysely";
import { expect, it } from "vitest";
import { SqliteConnection, immediateSqliteDialect } from "~/backend/store/sqlite-connection.server";

interface Tables {
  readonly notes: { readonly id: number };
}

it("SQLite prepares a statement with a limit once, however often it runs", async () => {
  const db = new Kysely<Tables>({ dialect: immediateSqliteDialect(new SqliteConnection(":memory:")) });
  const { sql } = db.selectFrom("notes").select("id").limit(3).compile();
  await db.destroy();
  const engine = new DatabaseSync(":memory:");
  engine.exec("create table notes (id integer primary key); insert into notes values (1), (2), (3)");
  const [ours, bare] = [engine.prepare(sql), engine.prepare('select "id" from "notes" limit ?')];
  for (const most of [2, 1, 2]) {
    expect(ours.all(most)).toHaveLength(most);
    expect(bare.all(most)).toHaveLength(most);
  }
  expect(ours.stat("reprepare")).toBe(0);
  // If this one isn't prepared again either, the cast in our dialect can go.
  expect(bare.stat("reprepare")).toBeGreaterThan(0);
  engine.close();
});
