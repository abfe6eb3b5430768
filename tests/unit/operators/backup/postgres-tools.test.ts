import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasPostgres } from "../../../database";
import { BACKUPS_MS, openBackedUp, type BackedUp } from "./backed-up";

const LEFT = ["portal-backup.lock"];

describe.skipIf(!hasPostgres)("portal backup on PostgreSQL", { timeout: BACKUPS_MS }, () => {
  let portal: BackedUp;
  beforeAll(async () => {
    portal = await openBackedUp("postgres");
  });
  afterAll(() => portal.close());

  /** Runs `portal backup` with this script as pg_dump. */
  async function withTool(script: string) {
    const folder = mkdtempSync(join(tmpdir(), "portal-tool-"));
    writeFileSync(join(folder, "pg_dump"), `#!/bin/sh\ncd "${folder}"\n${script}\n`, { mode: 0o755 });
    const PATH = [folder, process.env["PATH"]].join(delimiter);
    const DATABASE_URL = (portal.env["DATABASE_URL"] ?? "").replace("//postgres@", "//postgres:geheim@");
    return { folder, ...(await portal.run(["backup"], { PATH, DATABASE_URL })) };
  }

  it("says that pg_dump is missing, and what to install", async () => {
    const { code, stdout, stderr } = await portal.run(["backup"], { PATH: "/nowhere" });
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^portal: pg_dump is not installed: install PostgreSQL's client [^\n]+\n$/);
    expect(readdirSync(portal.folder)).toEqual(LEFT);
  });

  it("says that pg_dump is older than the server", async () => {
    const { code, stderr } = await withTool(`
      echo "pg_dump: error: aborting because of server version mismatch" >&2
      echo "pg_dump: detail: server version: 99.1; pg_dump version: 15.2" >&2
      exit 1`);
    const advice = "install PostgreSQL's client (postgresql-client) of the server's version or a later one";
    expect([code, stderr]).toEqual([
      1,
      `portal: pg_dump: server version: 99.1; pg_dump version: 15.2: ${advice}\n`,
    ]);
  });

  it("makes no backup of what pg_dump has not finished, and repeats no row", async () => {
    const { code, stderr } = await withTool(`
      head -c 300000 /dev/zero
      echo "pg_dump: error: Dumping the contents of table failed" >&2
      echo "pg_dump: detail: Kanarek" >&2
      exit 1`);
    expect([code, stderr]).toEqual([1, "portal: pg_dump: Dumping the contents of table failed\n"]);
    expect(readdirSync(portal.folder)).toEqual(LEFT);
  });

  it.each([
    ["empty", "true"],
    ["cut in its rows", 'head -c "$(($(wc -c <whole) - 400))" whole'],
  ])("makes no backup of a dump that is %s, though pg_dump ends with 0", async (_how, script) => {
    const path = process.env["PATH"] ?? "";
    const { code, stderr } = await withTool(`PATH='${path}' pg_dump "$@" >whole\nPATH='${path}'\n${script}`);
    expect(stderr).toMatch(/^portal: pg_dump's archive is not whole: pg_restore: [^\n]+\n$/);
    expect([code, readdirSync(portal.folder)]).toEqual([1, LEFT]);
  });

  it("gives pg_dump the password, but not on its command line, and no other secret", async () => {
    const { folder } = await withTool(`echo "$@" >words; env >variables`);
    expect(readFileSync(join(folder, "words"), "utf8")).not.toContain("geheim");
    const variables = readFileSync(join(folder, "variables"), "utf8");
    expect(variables).toContain("PGPASSWORD=geheim\n");
    expect(variables).not.toMatch(/DATA_KEYS|DATABASE_URL/);
  });
});
