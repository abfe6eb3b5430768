import { describe, expect, it, onTestFinished } from "vitest";
import { keepMonthsAhead } from "~/backend/store/postgres-migrations.server";
import { hasPostgres } from "../../../database";
import { connectTo } from "../../../postgres-server";
import { emptyPlace, migratePlace, openStoreAt, type Place } from "../../backend/test-place";

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
