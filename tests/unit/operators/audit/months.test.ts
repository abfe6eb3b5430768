import { describe, expect, it, onTestFinished } from "vitest";
import { eventsInOrder } from "~/backend/audit/events-in-order.server";
import { keepMonthsAhead } from "~/backend/store/postgres-migrations.server";
import { hasPostgres } from "../../../database";
import { connectTo } from "../../../postgres-server";
import { emptyPlace, migratePlace, openStoreAt, type Place } from "../../backend/test-place";

const PAST = Date.UTC(2026, 0, 1);
const INSERT = `insert into audit_events (id, happened_at, event, address, request_id)`;

/** Opens the store until the end of the test. */
async function openStore(place: Place) {
  const store = await openStoreAt(place);
  onTestFinished(() => store.close());
  return store;
}

const monthsOf = async (place: Place) => {
  const rows = await place.query(
    "select inhrelid::regclass::text as name from pg_inherits where inhparent = 'audit_events'::regclass order by 1",
  );
  return rows.map(({ name }) => String(name));
};

describe.skipIf(!hasPostgres)("the audit's months on PostgreSQL", () => {
  it("are read in pages, however many events have no number of their own", async () => {
    const place = await emptyPlace("postgres");
    // The audit keeps events for years, also those from before it had numbers.
    await place.query(
      `insert into audit_events (seq, id, happened_at, event, address, request_id)
        select 0, lpad(n::text, 8, '0'), ${PAST} + n, 'signed-in', '', '' from generate_series(1, 11000) as numbers (n)`,
    );
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
