import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openBackendOrWait } from "~/backend/open-backend.server";
import { REGISTRY } from "~/backend/store/registry.server";
import { TOKEN } from "~/backend/store/registry-entry.server";
import { REVOKED_ON_RESTORE } from "~/backend/backup/revoke-after-restore.server";
import { until } from "../../../browsers/until";
import { Browser } from "../../../contract/browser";
import { NEW_PASSWORD, register } from "../../../contract/register";
import { hasPostgres, onAnyDatabase } from "../../../database";
import { ANNA, freshCustomer } from "../../../demo-customers";
import { withClient } from "../../../postgres-server";
import { ACT, BY_EWA, runCommand, runProgram } from "../../../operator-command";
import { openTestBackend, testOptions } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";
import { BACKUPS_MS, openBackedUp, type BackedUp } from "./backed-up";
import { AUDITED, goingOn, restoredEvents, trustedAnna } from "./restore-steps";

it("[S101] a restore empties every table whose rows belong to a browser's cookie", () => {
  const ofCookies = Object.entries(REGISTRY)
    .filter(([, { columns }]) => Object.values<object>(columns).includes(TOKEN))
    .map(([table]) => table);
  expect(ofCookies).toContain("passkey_challenges");
  expect(REVOKED_ON_RESTORE).toEqual(expect.arrayContaining(ofCookies));
});

onAnyDatabase((kind) => {
  it("[S101] after a restore with other tools, everything that was going on ends at once", async () => {
    const way = await openTestBackend({ kind });
    const anna = await trustedAnna(way);
    await way.change(
      `insert into passkey_challenges (browser_hash, account_id, purpose, id, challenge, ends_at)
      select 'browser', id, 'login', 'id', 'challenge', 1 from accounts where username = ?`,
      ANNA.username,
    );
    expect(await goingOn(way)).toMatchObject({ sessions: 1, passkey_challenges: 1 });
    const { code, stderr } = await runCommand(variablesOf(way.place), ["restore", ...ACT, "--after-restore"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(new Set(Object.values(await goingOn(way)))).toEqual(new Set([0]));
    expect(await restoredEvents(way)).toEqual(AUDITED);
    expect((await anna.get("/cp/api/profile")).status).toBe(401);
    await way.close();
  });

  it("[S101] a restore says whose second factors these are, and ends all recovery codes if asked to", async () => {
    const way = await openTestBackend({ kind });
    const [account] = await way.query("select id from accounts limit 1");
    await way.change(
      `insert into factor_settings (account_id, sms, last_method, recovery_sealed, recovery_set_at)
      values (?, 'on', 'app', 'sealed', 1)`,
      account?.["id"],
    );
    const codes = () => way.query("select recovery_sealed, recovery_set_at from factor_settings");
    const env = variablesOf(way.place);
    const words = ["restore", ...ACT, "--after-restore"];
    expect((await runCommand(env, words)).stdout).toContain(
      "Second factors are those of the backup, too: apps and passkeys that were removed since work again\n" +
        "  - Recovery codes that were replaced since work again; to end all of them: portal restore --after-restore --end-recovery-codes, with --operator and --reason\n",
    );
    expect(await codes()).toEqual([{ recovery_sealed: "sealed", recovery_set_at: 1 }]);
    const { code, stdout } = await runCommand(env, [...words, "--end-recovery-codes"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("\n  recovery_codes: 1\n") as string]);
    expect(await codes()).toEqual([{ recovery_sealed: null, recovery_set_at: null }]);
    const reason = `${BY_EWA.reason}; all recovery codes ended`;
    expect(await restoredEvents(way)).toEqual([...AUDITED, { account_id: null, ...BY_EWA, reason }]);
    await way.close();
  });
});

describe.skipIf(!hasPostgres)("on PostgreSQL", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  beforeAll(async () => {
    portal = await openBackedUp("postgres");
  });
  afterAll(() => portal.close());

  it("a restore with other tools brings everything back, and events get new numbers", async () => {
    const { username } = await register(portal.way, freshCustomer(1));
    const file = join(portal.folder, "by-hand.dump");
    const { url = "" } = portal.way.place.on ?? {};
    const uses = (...words: string[]) =>
      expect(runProgram(words[0] ?? "", words.slice(1), {})).toMatchObject({ code: 0, stderr: "" });
    uses("pg_dump", "--format=custom", `--file=${file}`, url);
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      uses("pg_restore", `--dbname=${url}`, file);
      // As left by tools that restore only rows.
      await portal.way.query("select setval('audit_events_seq', 1, false)");
      expect((await portal.run(["restore", ...ACT, "--after-restore"])).code).toBe(0);
      const newest = "select event from audit_events where seq = (select max(seq) from audit_events)";
      expect(await portal.way.query(newest)).toEqual([{ event: "database-restored" }]);
    });
    expect((await new Browser(portal.way).login({ username, password: NEW_PASSWORD })).status).toBe(200);
  });

  it("a backup is not restored while a portal is connected", async () => {
    const file = await portal.backUp();
    await portal.reopenAfter(async () => {
      await portal.loseDatabase();
      const { url = "" } = portal.way.place.on ?? {};
      const asPortal = `${url}?application_name=portal%20(0123456789ab)`;
      expect(await withClient(asPortal, async () => Promise.resolve(await portal.restore(file)))).toEqual({
        code: 1,
        stdout: "",
        stderr: "portal: a portal is connected to the database: stop every portal first\n",
      });
      expect((await portal.restore(file)).code).toBe(0);
    });
  });

  it("[S101] a portal that starts beside a restore waits until what was going on in the backup has ended", async () => {
    const way = await openTestBackend({ kind: "postgres" });
    const anna = await trustedAnna(way);
    // As left by a restore that was killed between the tables and the ending.
    await way.query("create table portal_restore ()");
    const said: string[] = [];
    const waiting = await openBackendOrWait(testOptions(way.place), (reason) => said.push(reason));
    onTestFinished(() => waiting.close());
    expect(await waiting.ready()).toBe(false);
    expect(said).toEqual([
      "a backup is being restored (if that was interrupted: run portal restore --after-restore)",
    ]);
    expect((await runCommand(variablesOf(way.place), ["restore", ...ACT, "--after-restore"])).code).toBe(0);
    await until("the portal to be ready", () => waiting.ready());
    expect((await anna.get("/cp/api/profile")).status).toBe(401);
    await way.close();
  });
});
