import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BRAND_NEEDED } from "~/platform/config/brand-variables.server";
import { ask } from "../http-request";
import { runCommand } from "../operator-command";
import { freshDataDir, startPortal, type Portal } from "../portal";
import { freePort } from "../free-port";
import { runPortal, type Exit } from "../portal-process";

/** The least that production needs, but for the brand. */
const PRODUCTION = {
  PORTAL_MODE: "production",
  PUBLIC_ORIGIN: "https://portal.example",
  SESSION_SECRET: randomBytes(32).toString("base64"),
  DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
  // Nothing listens there; starting up doesn't check.
  SMS_GATEWAY: "webhook",
  SMS_WEBHOOK_URL: "http://127.0.0.1:9/",
  SMS_WEBHOOK_TOKEN: randomBytes(16).toString("hex"),
};

let dataDir: string;
let portal: Portal;
beforeAll(async () => {
  dataDir = await freshDataDir();
  const unset = { LOG_LEVEL: "", LIMIT_CODE_TRIES: "" };
  const nginx = { PORTAL_SERVERS: "server 127.0.0.1:3000;", TLS_KEY: "key.pem" };
  portal = await startPortal({
    publicOrigin: PRODUCTION.PUBLIC_ORIGIN,
    env: { ...PRODUCTION, ...unset, ...nginx, LIMIT_PASSWORD_HISTORY: "kanarek" },
  });
});
afterAll(async () => {
  await portal.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts a portal that should refuse to start, and returns its reasons: each a line of JSON, as in the log. */
async function start(
  env: Readonly<Record<string, string>>,
): Promise<Exit & { readonly said: readonly string[] }> {
  const running = runPortal({ DATA_DIR: dataDir, PORT: String(await freePort()), ...env });
  const exit = await running.ended;
  return {
    ...exit,
    said: running
      .log()
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { readonly level: string; readonly msg: string })
      .filter(({ level }) => level !== "info")
      .map(({ msg }) => msg),
  };
}

test("bad configuration: exit code 1, and a line for each wrong variable, without its value", async () => {
  // tests/unit/platform tries each alone.
  const wrong: readonly [string, string, RegExp][] = [
    ["PORTAL_MODE", "sekretny-tryb", /demo or production/],
    ["PORT", "kanarek", /a whole number from 1 to 65535/],
    ["SESSION_SECRET", "kanarek-za-krotki", /at least 32 characters/],
    ["LIMIT_PASSWORD_TRIES", "kanarek", /a whole number from 1/],
    ["LIMIT_KANAREK", "5", /unknown limit/],
  ];
  const { code, said } = await start(Object.fromEntries(wrong.map(([name, value]) => [name, value])));
  expect([code, said.length, said]).toEqual([1, wrong.length, said]);
  for (const [name, value, expected] of wrong) {
    const lines = said.filter((line) => line.startsWith(`${name}: `));
    expect([name, lines]).toEqual([name, [expect.stringMatching(expected)]]);
    expect(lines.join().replace(name, "")).not.toContain(value);
  }
});

test("[S18, S126] production names all that is missing at once, the brand in one line, and makes no folder", async () => {
  const folder = join(dataDir, "produkcja");
  const noBrand = Object.fromEntries(BRAND_NEEDED.map((name) => [name, ""]));
  const { code, said } = await start({ PORTAL_MODE: "production", DATA_DIR: folder, ...noBrand });
  expect([code, said.at(-1)]).toEqual([
    1,
    `${BRAND_NEEDED.join(", ")}: expected in production, or customers would meet the demo's insurer`,
  ]);
  for (const name of ["PUBLIC_ORIGIN", "SESSION_SECRET", "DATA_KEYS"])
    expect(said.join("\n")).toContain(`${name}: expected`);
  expect(existsSync(folder)).toBe(false);
});

test("[S126] commands in production don't ask for the brand", async () => {
  const { code, stdout } = await runCommand({ ...PRODUCTION, DATA_DIR: join(dataDir, "polecenie") }, [
    "migrate",
  ]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^ran:\n/)]);
});

test("[S18] production serves no demo pages: no outbox, no gallery, no ribbon", async () => {
  const headers = { Host: "portal.example", Cookie: "accepted-cookies=true" };
  const page = (path: string) => ask({ port: portal.port, path, headers });
  for (const path of ["/demo/sms", "/demo/sms.json", "/demo/gallery"])
    expect([path, (await page(path)).status]).toEqual([path, 404]);
  const { status, body } = await page("/home");
  expect(status).toBe(200);
  expect(body).not.toMatch(/demonstracyjn|\/demo\//);
});

test("a portal starts with empty variables and nginx' own, and tells that a limit became a constant", () => {
  expect(portal.log()).toMatch(/"warn".*LIMIT_PASSWORD_HISTORY: has no effect/);
  expect(portal.log()).not.toContain("kanarek");
});

test("a portal listens on 127.0.0.1 only, unless HOST is set", async () => {
  // Every address of 127.0.0.0/8 is this machine's.
  await expect(fetch(`http://127.0.0.2:${portal.port}/healthz`)).rejects.toMatchObject({
    cause: { code: "ECONNREFUSED" },
  });
});

// What else a data directory is refused for: unit/backend's data-directory.test.ts.
test("[S116] a data directory in use, a taken port and a host elsewhere: one line each, exit code 1", async () => {
  // An attached backend spares them a database of their own.
  const attached = { BACKEND_URL: "http://127.0.0.1:9" };
  const refused = await Promise.all([
    start({ ...PRODUCTION, DATA_DIR: portal.dataDir }),
    start({ ...attached, PORT: String(portal.port) }),
    start({ ...attached, HOST: "192.0.2.1" }),
    start({ ...attached, HOST: "kanarek.invalid" }),
  ]);
  expect(refused.map(({ code, said }) => [code, ...said])).toEqual([
    [1, expect.stringMatching(/ is in use by another process$/)],
    [1, "PORT: another process listens on it"],
    ...[1, 2].map(() => [1, "HOST: not an address of this machine"]),
  ]);
});
