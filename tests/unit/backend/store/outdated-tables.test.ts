import { describe, expect, it, onTestFinished } from "vitest";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { openBackendOrWait, type Backend } from "~/backend/open-backend.server";
import { until } from "../../../browsers/until";
import { Browser } from "../../../contract/browser";
import { hasPostgres, onEachDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { addLaterMigration, makeTablesBefore } from "./previous-release";
import { fetchFrom, openTestBackend, testOptions } from "../test-backend";
import { barePlace, emptyPlace, migratePlace, type Place } from "../test-place";

const NO_TABLES = "the database has no tables yet";
const RUN_MIGRATE = ": run portal migrate as the role that owns the tables (MIGRATION_DATABASE_URL)";

/** Starts a backend as the portal does. */
async function start(place: Place) {
  const said: string[] = [];
  const backend: Backend = await openBackendOrWait(testOptions(place), (reason) => said.push(reason));
  onTestFinished(() => backend.close());
  const fetch = (path: string, init?: RequestInit) => fetchFrom(backend, path, init);
  return { said, backend, way: { fetch, outbox: () => backend.outbox(), close: () => backend.close() } };
}

describe.skipIf(!hasPostgres)("[S117] a portal on PostgreSQL whose tables are outdated", () => {
  it.each([
    ["empty", () => Promise.resolve(), NO_TABLES],
    ["of the previous release", makeTablesBefore, "the tables lack 0026-former-queues"],
  ])(
    "%s: says so once, changes nothing, and serves as soon as an operator has migrated",
    async (_what, make, said) => {
      const place = await barePlace("postgres");
      await make(place);
      const tables = () =>
        place.query("select tablename from pg_tables where schemaname = 'public' order by 1");
      const before = await tables();
      const portal = await start(place);
      expect(await portal.backend.ready()).toBe(false);
      const answer = await portal.way.fetch("/home/api/user/info");
      expect([answer.status, await answer.json()]).toEqual([
        503,
        { errorCode: "unavailable", retryAfterSeconds: 5 },
      ]);
      expect(await portal.backend.outbox()).toEqual([]);
      expect(await tables()).toEqual(before);

      await migratePlace(place);
      await until("the portal to be ready", () => portal.backend.ready());
      await new Browser(portal.way).signIn(ANNA);
      expect(portal.said).toEqual([said + RUN_MIGRATE]);
    },
  );

  it("is not ready any more once a later release has taken something away", async () => {
    const place = await emptyPlace("postgres");
    const portal = await start(place);
    expect(await portal.backend.ready()).toBe(true);
    await addLaterMigration(place, { needed: "9999-later" });
    expect(await portal.backend.ready()).toBe(false);
  });
});

onEachDatabase((kind) => {
  describe("after an operator has gone back from a later release", () => {
    it("a portal starts on tables to which that release has only added, and customers sign in", async () => {
      const place = await emptyPlace(kind);
      await (await openTestBackend({ place })).backend.close();
      await addLaterMigration(place, { needed: "0001-sign-in" });
      const way = await openTestBackend({ place });
      await new Browser(way).signIn(ANNA);
      expect(await way.backend.ready()).toBe(true);
      await way.close();
    });

    it("a portal refuses tables from which that release has taken something away, in one line", async () => {
      const place = await emptyPlace(kind);
      await (await openTestBackend({ place })).backend.close();
      await addLaterMigration(place, { needed: "9999-later" });
      const error: unknown = await openTestBackend({ place }).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StartRefusal);
      expect((error as StartRefusal).message).toBe(
        "a later version of the portal has changed the database: it needs a version with migration 9999-later",
      );
    });
  });
});
