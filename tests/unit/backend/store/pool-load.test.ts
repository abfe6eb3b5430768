import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ConnectionPool } from "~/backend/store/postgres-pool.server";
import { hasPostgres, makeBareDatabase, settingsOf, type TestDatabase } from "../../../database";

describe.skipIf(!hasPostgres)("what the metrics say about the pool", () => {
  let database: TestDatabase;
  let pool: ConnectionPool;
  beforeAll(async () => {
    database = await makeBareDatabase();
    const { address, ...options } = settingsOf(database.url);
    pool = new ConnectionPool(address, { ...options, connections: 1 }, () => undefined);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  it("a query that gets an idle connection at once, as a scrape's own does, doesn't count as waiting", async () => {
    (await pool.connect()).release();
    const asking = pool.connect();
    expect(pool.load()).toMatchObject({ idle: 1, waiting: 0 });
    (await asking).release();
  });

  it("a query that finds all connections in use counts as waiting", async () => {
    const held = await pool.connect();
    const asking = pool.connect();
    expect(pool.load()).toEqual({ inUse: 1, idle: 0, waiting: 1 });
    held.release();
    (await asking).release();
  });
});
