import { randomBytes } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import { eventsInOrder } from "~/backend/services/audit/events-in-order.server";
import { keepMonthsAhead } from "~/backend/store/postgres-migrations.server";
import { hasPostgres } from "../../../database";
import { connectTo } from "../../../postgres-server";
import { makeTablesUpTo } from "../../backend/release-before";
import { barePlace, emptyPlace, migratePlace, openStoreAt, type Place } from "../../backend/test-place";

const PAST = Date.UTC(2026, 0, 1);
const AHEAD = Date.UTC(2094, 0, 1);
const INSERT = `insert into audit_events (id, happened_at, event, address, request_id)`;

/** Opens the store until the end of the test. */
async function openStore(place: Place) {
  const store = await openStoreAt(place);
  onTestFinished(() => store.close());
  return store;
}

/** Makes a role, until the end of the test, with the rights that the previous release gave the serving role. */
async function makeServingRole(place: Place): Promise<string> {
  const role = `serving_${randomBytes(6).toString("hex")}`;
  await place.query(`create role ${role}`);
  onTestFinished(async () => {
    await place.query(`drop owned by ${role}`);
    await place.query(`drop role ${role}`);
  });
  await place.query(`grant select, insert on audit_events to ${role}`);
  return role;
}

const monthsOf = async (place: Place) => {
  const rows = await place.query(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass order by 1",
  );
  return rows.map(({ name }) => String(name));
};

describe.skipIf(!hasPostgres)("the audit's months on PostgreSQL", () => {
  it("keep every event of the previous release in order, even one from a clock that was ahead", async () => {
    const place = await barePlace("postgres");
    await makeTablesUpTo(place, "0006-account-safety");
    await place.query(
      `${INSERT} values ('b', ${AHEAD}, 'signed-in', '', ''), ('a', ${PAST}, 'signed-in', '', '')`,
    );
    await migratePlace(place);
    const store = await openStore(place);
    const ids: string[] = [];
    for await (const { id } of eventsInOrder(store.read, { after: -1, through: 0 })) ids.push(id);
    expect(ids).toEqual(["a", "b"]);
  });

  it("[S95] leave portals that serve meanwhile the right to write events, and give them no other", async () => {
    const place = await barePlace("postgres");
    await makeTablesUpTo(place, "0006-account-safety");
    const role = await makeServingRole(place);
    await makeTablesUpTo(place, "0007-audit-seals");
    const serving = await connectTo(place.on?.url ?? "");
    onTestFinished(() => serving.end());
    await serving.query(`set role ${role}`);
    await serving.query(`${INSERT} values ('during', ${PAST}, 'signed-in', '', '')`);
    expect((await serving.query("select id, seq from audit_events")).rows).toEqual([
      { id: "during", seq: 1 },
    ]);
    for (const statement of ["update audit_events set event = ''", "delete from audit_events"])
      await expect(serving.query(statement), statement).rejects.toThrow(/permission denied/);
  });

  it("are read in pages, however many events have no number of their own", async () => {
    const place = await barePlace("postgres");
    await makeTablesUpTo(place, "0006-account-safety");
    await place.query(
      `${INSERT} select lpad(n::text, 8, '0'), ${PAST} + n, 'signed-in', '', ''
        from generate_series(1, 11000) as numbers (n)`,
    );
    await migratePlace(place);
    const store = await openStore(place);
    await place.query(`${INSERT} values ('late', ${PAST}, 'signed-in', '', '')`);
    const ids: string[] = [];
    for await (const { id } of eventsInOrder(store.read, { after: -1, through: 99 })) ids.push(id);
    expect(ids).toHaveLength(11_001);
    expect(ids.at(-1)).toBe("late");
    expect(ids.slice(0, -1)).toEqual(ids.slice(0, -1).toSorted());
  });

  it("are made in advance by migrate and purge, but neither waits for a backup that reads the audit", async () => {
    const place = await emptyPlace("postgres");
    const all = await monthsOf(place);
    expect(all).toHaveLength(5);
    await place.query(`drop table ${all.filter((name) => /_\d+$/.test(name)).at(-1)}`);
    const backup = await connectTo(place.on?.url ?? "");
    await backup.query("begin; select * from audit_events");
    const store = await openStore(place);
    await migratePlace(place);
    await keepMonthsAhead(store);
    expect(await monthsOf(place)).toHaveLength(4);
    await backup.end();
    await keepMonthsAhead(store);
    expect(await monthsOf(place)).toEqual(all);
  });
});
