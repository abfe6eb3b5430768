import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import { DatabaseUnavailable } from "~/backend/store/store.server";
import { Browser, latestCode } from "../../../contract/browser";
import {
  hasPostgres,
  makeBareDatabase,
  makeDatabase,
  onServer,
  settingsOf,
  type TestDatabase,
} from "../../../database";
import { openDatabaseProxy, type DatabaseProxy } from "../../../database-proxy";
import { ANNA } from "../../../demo-customers";
import { migrateTables } from "../../../migrate-tables";
import { openTestBackend, type TestBackend } from "../test-backend";
import { emptyPlace, newDataDir, openStoreAt, placeOnPostgres } from "../test-place";

/** @alone: a process prepares only its first statements. */
describe.skipIf(!hasPostgres)("PostgreSQL", () => {
  it("[S17] is filled once by ten backends that start at once, and shared by all of them", async () => {
    const place = await emptyPlace("postgres");
    const backends = await Promise.all(Array.from({ length: 10 }, () => openTestBackend({ place })));
    expect(await place.query("select count(*) as n from customers")).toEqual([{ n: 99 }]);
    const [one, other] = backends;
    if (!one || !other) throw new Error("there are ten");
    const browser = new Browser(one);
    await browser.login(ANNA);
    await browser.askForCode();
    const elsewhere = new Browser(other);
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value);
    expect((await elsewhere.confirm(await latestCode(other, ANNA.phone))).status).toBe(200);
    await Promise.all(backends.map((backend) => backend.close()));
  });

  describe("with one role for migrations and another for serving", () => {
    const role = `portal_test_${randomBytes(6).toString("hex")}`;
    let database: TestDatabase;
    let served: string;
    beforeAll(async () => {
      database = await makeBareDatabase();
      await onServer(`create role ${role} login`);
      const url = new URL(database.url);
      url.username = role;
      served = url.href;
    });
    afterAll(async () => {
      await database.drop();
      await onServer(`drop role ${role}`);
    });

    it("[S90, S95] gives the second role no right to change tables or audit events", async () => {
      await migrateTables({ DATABASE_URL: served, MIGRATION_DATABASE_URL: database.url });
      const place = placeOnPostgres(database, newDataDir(), settingsOf(served));
      const way = await openTestBackend({ place });
      await new Browser(way).signIn(ANNA);
      const as = (statement: string) => database.query(`set local role ${role}; ${statement}`);
      for (const statement of [
        "create table more (id text)",
        "alter table accounts add column more text",
        "drop table sessions",
        "truncate sessions",
        "update audit_events set event = 'nothing'",
        "delete from audit_events",
        "delete from kysely_migration",
      ])
        await expect(as(statement), statement).rejects.toThrow(/permission denied|must be owner/);
      await as("select * from audit_events");
      await way.backend.close();
    });
  });

  it("stays usable, over new connections, if a later version changes its tables meanwhile", async () => {
    const place = await emptyPlace("postgres");
    const store = await openStoreAt(place);
    const look = () => store.read.selectFrom("outbox").selectAll().execute();
    await look();
    await place.query("alter table outbox add column later text");
    await expect(look()).rejects.toThrow(DatabaseUnavailable);
    expect(await look()).toEqual([]);
    await store.close();
  });

  it("is reported in one line, without the password, if it is unreachable", async () => {
    const database = settingsOf("postgres://portal:kanarek@127.0.0.1:1/portal");
    const place = { ...(await emptyPlace("sqlite")), database };
    const error: unknown = await openTestBackend({ place }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartRefusal);
    expect((error as StartRefusal).message).toBe("PostgreSQL cannot be used now: connection refused");
  });

  describe("[S73] lost in the middle of a sign-in", () => {
    let proxy: DatabaseProxy;
    let way: TestBackend;
    beforeAll(async () => {
      const database = await makeDatabase();
      proxy = await openDatabaseProxy(database.url);
      // Shorter than usual, but still far longer than a statement takes on a busy machine.
      const limits = {
        LIMIT_DATABASE_QUERY_MS: "1000",
        LIMIT_DATABASE_LOCK_MS: "1000",
        LIMIT_DATABASE_CONNECT_MS: "1000",
      };
      const settings = settingsOf(proxy.url, limits);
      way = await openTestBackend({ place: placeOnPostgres(database, newDataDir(), settings) });
    });
    afterAll(async () => {
      proxy.recover();
      await way.close();
      await proxy.close();
    });

    it.each(["takeDown", "hang"] as const)(
      "(%s) is 503 at every step, and the sign-in goes on afterwards",
      async (fault) => {
        const browser = new Browser(way);
        const withFault = async (step: () => Promise<{ status: number; headers: Headers }>) => {
          const session = browser.cookies.get("session");
          proxy[fault]();
          const answer = await step();
          expect(await way.backend.ready()).toBe(false);
          proxy.recover();
          expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "5"]);
          expect(browser.cookies.get("session")).toBe(session);
        };
        await withFault(() => browser.login(ANNA));
        expect((await browser.login(ANNA)).status).toBe(200);
        await withFault(() => browser.askForCode());
        await browser.askForCode({ resend: true });
        const code = await latestCode(way, ANNA.phone);
        await withFault(() => browser.confirm(code));
        await withFault(() => browser.get("/cp/api/policies"));
        expect((await browser.get("/cp/api/policies")).status).toBe(409);
        expect((await browser.confirm(code)).status).toBe(200);
        expect((await browser.get("/cp/api/policies")).status).toBe(200);
        expect(await way.backend.ready()).toBe(true);
      },
    );
  });
});
