import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { StartRefusal } from "~/platform/lifecycle/operator-errors.server";
import type { SmsGateway } from "~/backend/messages/gateway.server";
import { makeKeyring } from "~/backend/secrets/keyring.server";
import { SqliteConnection } from "~/backend/store/sqlite-connection.server";
import { Browser, latestCode } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend } from "../test-backend";

const sms: SmsGateway = { name: "webhook", send: () => Promise.resolve({ kind: "accepted" }) };

describe("the data directory", () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = join(mkdtempSync(join(tmpdir(), "portal-backend-")), "data");
  });
  afterEach(() => {
    rmSync(join(dataDir, ".."), { recursive: true, force: true });
  });

  const refusal = async (dir = dataDir) => {
    const error: unknown = await openTestBackend({ dataDir: dir }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(StartRefusal);
    const { message } = error as StartRefusal;
    expect(message).not.toContain("\n");
    return message;
  };

  it("is accessible to its owner only: folder 0700, files 0600", async () => {
    const way = await openTestBackend({ dataDir });
    const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
    expect(mode(dataDir)).toBe("700");
    for (const file of ["portal.db", "portal.db-wal", "portal.db-shm", "keys.json", "lock"]) {
      expect(mode(join(dataDir, file)), file).toBe("600");
    }
    await way.close();
  });

  it("keeps everything across a restart", async () => {
    const way = await openTestBackend({ dataDir });
    const browser = new Browser(way);
    await browser.signIn(ANNA, "Y");
    await way.backend.close();
    const again = await openTestBackend({ dataDir });
    const same = new Browser(again);
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    expect((await same.get("/cp/api/policies")).status).toBe(200);
    expect(await latestCode(again, ANNA.phone)).toMatch(/^\d{6}$/);
    expect(await again.query("select count(*) as customers from customers")).toEqual([{ customers: 99 }]);
    await again.close();
  });

  it("is held by one backend at a time, and released when it closes", async () => {
    const first = await openTestBackend({ dataDir });
    expect(await refusal()).toBe(`the data directory ${dataDir} is in use by another process`);
    await first.backend.close();
    await (await openTestBackend({ dataDir })).close();
  });

  it("is free at once, with nothing to repair, after the process that held it was killed", async () => {
    await (await openTestBackend({ dataDir })).backend.close();
    const engine = createRequire(import.meta.url).resolve("@photostructure/sqlite");
    const script = `
      const { DatabaseSync } = require(${JSON.stringify(engine)});
      new DatabaseSync(${JSON.stringify(join(dataDir, "lock"))}).exec("begin exclusive");
      process.stdout.write("held");
      setInterval(() => {}, 1000);`;
    const holder = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
    await new Promise((held) => holder.stdout.once("data", held));
    expect(await refusal()).toContain("in use by another process");

    const ended = new Promise((end) => holder.once("exit", end));
    holder.kill("SIGKILL");
    await ended;
    await (await openTestBackend({ dataDir })).close();
  });

  it("is refused if the database belongs to another program, and the file is left untouched", async () => {
    await (await openTestBackend({ dataDir })).backend.close();
    const file = join(dataDir, "portal.db");
    rmSync(file);
    const foreign = new SqliteConnection(file);
    foreign.exec("create table notes (text)");
    foreign.close();
    const before = readFileSync(file);
    expect(await refusal()).toBe(`${file} is not the portal's database: another program created it`);
    expect(readFileSync(file).equals(before)).toBe(true);

    writeFileSync(file, "no database at all, but long enough to be looked at as one".repeat(20));
    expect(await refusal()).toContain(`${file} cannot be opened`);
  });

  it("is refused if its keys are missing, unreadable or those of another database", async () => {
    await (await openTestBackend({ dataDir })).backend.close();
    const keys = join(dataDir, "keys.json");
    const good = readFileSync(keys, "utf8");

    rmSync(keys);
    expect(await refusal()).toContain(`${keys} is missing`);
    expect(existsSync(keys)).toBe(false);
    for (const bad of [
      "",
      "{}",
      '{"keys":[]}',
      '{"keys":[{"version":1,"key":"c2hvcnQ="}]}',
      good.replace('"version": 1', '"version": 0'),
    ]) {
      writeFileSync(keys, bad);
      const message = await refusal();
      expect(message).toContain(`${keys} cannot be read as`);
      expect(message).not.toContain("c2hvcnQ=");
    }
    const other = Buffer.alloc(32, 7).toString("base64");
    writeFileSync(keys, JSON.stringify({ keys: [{ version: 1, key: other }] }));
    expect(await refusal()).toBe("the keys do not belong to this database");

    writeFileSync(keys, good);
    await (await openTestBackend({ dataDir })).close();
  });

  it("is refused if it can't be created", async () => {
    writeFileSync(join(dataDir, "..", "file"), "");
    expect(await refusal(join(dataDir, "..", "file", "data"))).toContain("cannot be created");
  });

  it("[S18] has no demo customers and no outbox in production mode", async () => {
    const keyring = makeKeyring([{ version: 1, key: randomBytes(32) }]);
    const way = await openTestBackend({ dataDir, mode: "production", keyring, sms });
    expect((await new Browser(way).login(ANNA)).body).toEqual({ errorCode: "101" });
    expect(await way.query("select * from customers")).toEqual([]);
    expect(await way.outbox()).toEqual([]);
    expect(existsSync(join(dataDir, "keys.json"))).toBe(false);
    await way.close();
  });

  it("[S18] keeps the mode of its first use: production refuses the demo's, and the demo production's", async () => {
    const keyring = makeKeyring([{ version: 1, key: randomBytes(32) }]);
    await (await openTestBackend({ dataDir, keyring })).backend.close();
    await expect(openTestBackend({ dataDir, mode: "production", keyring, sms })).rejects.toThrow(
      "this database holds the demo's customers",
    );
    const own = join(dataDir, "own");
    await (await openTestBackend({ dataDir: own, mode: "production", keyring, sms })).backend.close();
    await expect(openTestBackend({ dataDir: own, keyring })).rejects.toThrow(
      "this database is in production",
    );
  });

  it("is refused in production mode without keys or an SMS gateway, and no keys are generated", async () => {
    const production = openTestBackend({ dataDir, mode: "production" });
    await expect(production).rejects.toThrow("production mode needs keys, but none are configured");
    expect(existsSync(join(dataDir, "keys.json"))).toBe(false);
    expect(existsSync(join(dataDir, "portal.db"))).toBe(false);

    const keyring = makeKeyring([{ version: 1, key: randomBytes(32) }]);
    const withoutSms = openTestBackend({ dataDir, mode: "production", keyring });
    await expect(withoutSms).rejects.toThrow("production mode needs an SMS gateway, but none is configured");
  });
});
