import { describe, expect, it, onTestFinished } from "vitest";
import { maySeal } from "~/backend/audit/seal-events.server";
import { makeDatabase } from "../../../topology/database";
import { Browser } from "../../../contract/browser";
import { hasPostgres, onServer, settingsOf } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { withClient } from "../../../postgres-server";
import { runCommand } from "../../../operator-command";
import { openTestBackend } from "../test-backend";
import { newDataDir, openStoreAt, type Place } from "../test-place";
import { waitedForSeal } from "../../operators/audit/sealed-audit";

/** Expects that the role of this URL may not run the statement. */
async function refused(url: string, statement: string): Promise<void> {
  const running = withClient(url, (client) => client.query(statement));
  await expect(running, statement).rejects.toThrow(/permission denied/);
}

describe.skipIf(!hasPostgres)("with the roles of deploy/postgresql", () => {
  /** A portal that serves as one role, and the URLs of all three roles. */
  async function openWithRoles() {
    const database = await makeDatabase();
    const placeAt = (url: string): Place => ({
      database: settingsOf(url),
      dataDir: newDataDir(),
      query: () => Promise.reject(new Error("not needed")),
    });
    const way = await openTestBackend({ place: placeAt(database.url) });
    onTestFinished(async () => {
      await way.close();
      await database.stop();
    });
    await new Browser(way).signIn(ANNA);
    return { database, way, openAs: (url: string) => openStoreAt(placeAt(url)) };
  }

  it("[S95] the role that serves can neither seal nor change a seal", async () => {
    const { database, openAs } = await openWithRoles();
    const serving = await openAs(database.url);
    expect(await maySeal(serving.read)).toBe(false);
    await serving.close();
    for (const statement of [
      "insert into audit_seals values (1, 1, 1, '', '', 1, '', 1)",
      "update audit_seals set events = 0",
      "delete from audit_archives",
      "select audit_watermark()",
      "delete from audit_events_before",
    ])
      await refused(database.url, statement);
  });

  it("[S95] the role that serves sees when nothing seals", async () => {
    const { way } = await openWithRoles();
    way.advance(90_000);
    expect(await waitedForSeal()).toBe(90);
  });

  it("[S95] the role that seals can do nothing else, and the portal's keys are enough for it", async () => {
    const { database, way, openAs } = await openWithRoles();
    const sealing = await openAs(database.auditUrl);
    expect(await maySeal(sealing.read)).toBe(true);
    await sealing.close();
    const env = { DATABASE_URL: database.auditUrl, DATA_DIR: way.dataDir };
    expect(await runCommand(env, ["seal-audit"])).toEqual({
      code: 0,
      stderr: "",
      stdout: expect.stringMatching(/^sealed: [1-9]\d*\n$/) as string,
    });
    for (const statement of [
      "insert into audit_events (id, happened_at, event, address, request_id) values ('1', 1, '', '', '')",
      "update audit_events set event = ''",
      "delete from audit_events",
      "update audit_seals set events = 0",
      "delete from audit_seals",
      "select * from accounts",
      "select * from customers",
      "select * from sessions",
      "create table more (id text)",
    ])
      await refused(database.auditUrl, statement);
  });

  it("a portal that names the role, but has no owner's address, starts once the tables are up to date", async () => {
    const { database } = await openWithRoles();
    const settings = settingsOf(database.url, { AUDIT_DATABASE_ROLE: database.auditRole });
    const place = { database: settings, dataDir: newDataDir(), query: () => Promise.resolve([]) };
    await (await openStoreAt(place)).close();
  });

  it("[S95] the role that seals can't pass off a view as the audit, even if it may make temporary ones", async () => {
    const { database } = await openWithRoles();
    const name = new URL(database.auditUrl).pathname.slice(1);
    await onServer(`grant temporary on database ${name} to ${database.auditRole}`);
    const seen = await withClient(database.auditUrl, async (client) => {
      await client.query("create temp view audit_events as select 999999::bigint as seq");
      return (await client.query<{ seq: number }>("select audit_watermark() as seq")).rows[0]?.seq;
    });
    expect(seen).toBeLessThan(999_999);
  });

  it("the tables' owner seals if there is no other role", async () => {
    const { database, openAs } = await openWithRoles();
    const owner = await openAs(database.ownerUrl);
    expect(await maySeal(owner.read)).toBe(true);
    await owner.close();
  });
});
