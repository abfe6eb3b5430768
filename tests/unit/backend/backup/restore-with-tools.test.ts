import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { Browser } from "../../../contract/browser";
import { NEW_PASSWORD, register } from "../../../contract/register";
import { hasPostgres, onEachDatabase, onServer } from "../../../database";
import { freshCustomer } from "../../../demo-customers";
import { ACT, runCommand, runProgram } from "../../../operator-command";
import { openTestBackend, type TestBackend } from "../test-backend";
import { variablesOf } from "../test-place";
import { AUDITED, goingOn, restoredEvents, trustedAnna } from "./restore-steps";

onEachDatabase((kind) => {
  it("[S101] after a restore with other tools, everything that was going on ends at once", async () => {
    const way = await openTestBackend({ kind });
    const anna = await trustedAnna(way);
    const { code, stderr } = runCommand(variablesOf(way.place), ["restore", ...ACT, "--after-restore"]);
    expect([code, stderr]).toEqual([0, ""]);
    expect(new Set(Object.values(await goingOn(way)))).toEqual(new Set([0]));
    expect(await restoredEvents(way)).toEqual(AUDITED);
    expect((await anna.get("/cp/api/profile")).status).toBe(401);
    await way.close();
  });
});

describe.skipIf(!hasPostgres)("on PostgreSQL", () => {
  const key = randomBytes(32);
  let way: TestBackend;
  let env: Record<string, string>;
  beforeEach(async () => {
    const keyring = makeKeyring([{ version: 1, key }]);
    way = await openTestBackend({ kind: "postgres", keyring });
    env = { ...variablesOf(way.place), DATA_KEYS: `1:${key.toString("base64")}` };
  });
  afterEach(() => way.close());

  it("backup names commands, without the password, that bring everything back", async () => {
    const { username } = await register(way, freshCustomer(1));
    const file = join(way.dataDir, "a backup.dump");
    const { code, stdout } = runCommand(env, ["backup", "--output", file, "--json"]);
    expect(code).toBe(0);
    const tools = JSON.parse(stdout) as { backUp: string; restore: string };
    expect(existsSync(file)).toBe(false);
    expect(runProgram("sh", ["-c", tools.backUp], env)).toMatchObject({ code: 0, stderr: "" });

    await way.backend.close();
    const { name = "" } = way.place.on ?? {};
    await onServer(`drop database ${name} with (force)`);
    await onServer(`create database ${name} template template0`);
    expect(runProgram("sh", ["-c", tools.restore], env)).toMatchObject({ code: 0, stderr: "" });
    // As tools that restore rows alone leave it.
    await way.query("select setval('audit_events_seq', 1, false)");
    expect(runCommand(env, ["restore", ...ACT, "--after-restore"]).code).toBe(0);
    const newest = "select event from audit_events where seq = (select max(seq) from audit_events)";
    expect(await way.query(newest)).toEqual([{ event: "database-restored" }]);
    way = await openTestBackend({ place: way.place, keyring: makeKeyring([{ version: 1, key }]) });
    expect((await new Browser(way).login({ username, password: NEW_PASSWORD })).status).toBe(200);
  });

  it("backup shows no password, and restore takes no file", () => {
    const secret = { ...env, MIGRATION_DATABASE_URL: "postgres://own%20er:geheim@db.example:5433/portal" };
    const { code, stdout } = runCommand(secret, ["backup", "--output", "x.dump"]);
    expect([code, stdout.includes("geheim")]).toEqual([0, false]);
    expect(stdout).toContain(
      "  PGSSLMODE=verify-full pg_dump --host=db.example --port=5433 '--username=own er' --dbname=portal ",
    );
    const refused = runCommand(env, ["restore", ...ACT, "--input", "package.json"]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toMatch(/^portal: --input: on PostgreSQL run pg_restore[^\n]+\n$/);
  });
});
