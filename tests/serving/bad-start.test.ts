import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask } from "../http-request";
import { runCommand } from "../operator-command";
import { freshDataDir, startPortal } from "../portal";
import { freePort } from "../free-port";
import { runPortal, type Exit } from "../portal-process";
import { IS_RELEASE } from "../release-run";

let dataDir: string;
beforeAll(async () => {
  dataDir = await freshDataDir();
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

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

describe("bad configuration: exit code 1, and a line for each wrong variable, without its value", () => {
  /** For each start, the wrong variables and a pattern for their lines. tests/unit/platform tries each alone. */
  const STARTS: readonly (readonly [string, string, RegExp][])[] = [
    [
      ["PORTAL_MODE", "sekretny-tryb", /demo or production/],
      ["PORT", "kanarek", /a whole number from 1 to 65535/],
      ["METRICS_PORT", "kanarek", /a whole number from 1 to 65535/],
      ["PUBLIC_ORIGIN", "kanarek", /an origin such as https:\/\/portal\.example/],
      ["SMS_GATEWAY", "kanarek", /smsapi, webhook or outbox/],
      ["BACKEND_HOSTS", "kanarek host", /hosts, separated by commas/],
      ["TRUSTED_PROXIES", "kanarek", /addresses or CIDR blocks/],
      ["SESSION_SECRET", "kanarek-za-krotki", /at least 32 characters/],
      ["LOG_LEVEL", "kanarek", /trace, debug, info, warn, error or silent/],
      ["LIMIT_PASSWORD_TRIES", "kanarek", /a whole number from 1/],
      ["LIMIT_KANAREK", "5", /unknown limit/],
    ],
  ];

  test.each(STARTS.map((wrong) => [wrong.map(([name]) => name).join(", "), wrong] as const))(
    "%s",
    async (_, wrong) => {
      const { code, said } = await start(Object.fromEntries(wrong.map(([name, value]) => [name, value])));
      expect([code, said.length, said]).toEqual([1, wrong.length, said]);
      for (const [name, value, expected] of wrong) {
        const lines = said.filter((line) => line.startsWith(`${name}: `));
        expect([name, lines]).toEqual([name, [expect.stringMatching(expected)]]);
        expect(lines.join().replace(name, "")).not.toContain(value);
      }
    },
  );

  test("an empty variable counts as unset, and that of a limit which became a constant is told", async () => {
    const unset = { PUBLIC_ORIGIN: "", LOG_LEVEL: "", LIMIT_CODE_TRIES: "" };
    const portal = await startPortal({ env: { ...unset, LIMIT_PASSWORD_HISTORY: "kanarek" } });
    expect(portal.log()).toMatch(/"warn".*LIMIT_PASSWORD_HISTORY: has no effect/);
    expect(portal.log()).not.toContain("kanarek");
    expect((await portal.stop()).code).toBe(0);
  });
});

describe("a data directory that can't be used: one line, exit code 1, nothing changed", () => {
  test("another portal is using it", async () => {
    const shared = await freshDataDir();
    const first = await startPortal({ dataDir: shared });
    const { code, said } = await start({ DATA_DIR: shared });
    expect([code, said]).toEqual([1, [expect.any(String)]]);
    expect((await first.outbox()).length).toBe(0);
    await first.stop();

    // Once the first is gone, even after a power cut, the next one starts.
    const second = await startPortal({ dataDir: shared });
    await second.stop("SIGKILL");
    await (await startPortal({ dataDir: shared })).stop();
    await rm(shared, { recursive: true, force: true });
  });

  test("it is a file", async () => {
    const file = join(dataDir, "plik");
    await writeFile(file, "kanarek");
    const { code, said } = await start({ DATA_DIR: file });
    expect([code, said.length]).toEqual([1, 1]);
  });

  test("it holds a database the portal did not make", async () => {
    const made = await startPortal({ dataDir: join(dataDir, "wzor") });
    await made.stop();
    const names = (await readdir(join(dataDir, "wzor"))).filter((name) => /\.(sqlite3?|db)$/.test(name));
    expect(names).toHaveLength(1);
    const foreign = join(dataDir, "obce");
    await mkdir(foreign);
    await writeFile(join(foreign, names[0] ?? ""), "to nie jest baza danych portalu, tylko kanarek");
    const { code, said } = await start({ DATA_DIR: foreign });
    expect([code, said.length, said]).toEqual([1, 1, [expect.any(String)]]);
  });

  test("its keys are missing", async () => {
    const folder = join(dataDir, "bez-kluczy");
    await (await startPortal({ dataDir: folder })).stop();
    await rm(join(folder, "keys.json"));
    const { code, said } = await start({ DATA_DIR: folder });
    expect([code, said.length, said]).toEqual([1, 1, [expect.any(String)]]);
  });

  test("its keys are broken", async () => {
    const folder = join(dataDir, "zle-klucze");
    await (await startPortal({ dataDir: folder })).stop();
    await writeFile(join(folder, "keys.json"), '{"kanarek": 1}');
    const { code, said } = await start({ DATA_DIR: folder });
    expect([code, said.length, said]).toEqual([1, 1, [expect.any(String)]]);
    expect(said[0]).not.toContain("kanarek");
  });
});

/** The least that production needs. */
const PRODUCTION = {
  PORTAL_MODE: "production",
  PUBLIC_ORIGIN: "https://portal.example",
  SESSION_SECRET: randomBytes(32).toString("base64"),
  DATA_KEYS: `1:${randomBytes(32).toString("base64")}`,
};

/** Nothing listens there; starting up doesn't check. */
const GATEWAY = {
  SMS_GATEWAY: "webhook",
  SMS_WEBHOOK_URL: "http://127.0.0.1:9/",
  SMS_WEBHOOK_TOKEN: randomBytes(16).toString("hex"),
};

test("[S18] production serves no demo pages: no outbox, no gallery, no ribbon", async () => {
  const portal = await startPortal({
    publicOrigin: PRODUCTION.PUBLIC_ORIGIN,
    env: { ...PRODUCTION, ...GATEWAY },
  });
  const headers = { Host: "portal.example", Cookie: "accepted-cookies=true" };
  const page = (path: string) => ask({ port: portal.port, path, headers });
  for (const path of ["/demo/sms", "/demo/sms.json", "/demo/gallery"])
    expect([path, (await page(path)).status]).toEqual([path, 404]);
  const { status, body } = await page("/home");
  expect(status).toBe(200);
  expect(body).not.toMatch(/demonstracyjn|\/demo\//);
  expect((await portal.stop()).code).toBe(0);
});

test("[S18] production without a secret, keys and an origin names what is missing and does not start", async () => {
  const folder = join(dataDir, "produkcja");
  const { code, said } = await start({ PORTAL_MODE: "production", DATA_DIR: folder });
  expect(code).toBe(1);
  for (const name of ["PUBLIC_ORIGIN", "SESSION_SECRET", "DATA_KEYS"])
    expect(said.join("\n")).toContain(`${name}: expected`);
  expect(existsSync(folder)).toBe(false);
});

describe("[S126] production without the insurer's brand names all that is missing in one line and does not start", () => {
  const BRAND = [
    "BRAND_NAME",
    "BRAND_PHONES",
    "BRAND_TERMS",
    "BRAND_COOKIES",
    "BRAND_PRIVACY",
    "BRAND_SECURITY_CONTACT",
  ];
  const unset = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, ""]));
  const lineFor = (names: string) =>
    `${names}: expected in production, or customers would meet the demo's insurer`;

  test.each(IS_RELEASE ? BRAND : BRAND.slice(0, 1))("%s", async (name) => {
    const folder = join(dataDir, "bez-marki");
    const { code, said } = await start({ ...PRODUCTION, ...GATEWAY, DATA_DIR: folder, ...unset(name) });
    expect([code, said]).toEqual([1, [lineFor(name)]]);
    expect(existsSync(folder)).toBe(false);
  });

  test("all of it, with an attached backend", async () => {
    const attached = { ...PRODUCTION, DATA_KEYS: "", BACKEND_URL: "https://backend.example" };
    const { code, said } = await start({ ...attached, ...unset(...BRAND) });
    expect([code, said]).toEqual([1, [lineFor(BRAND.join(", "))]]);
  });

  test("all of it, and whatever else is missing, at once", async () => {
    const { code, said } = await start({ PORTAL_MODE: "production", ...unset(...BRAND) });
    expect([code, said.at(-1)]).toEqual([1, lineFor(BRAND.join(", "))]);
    expect(said.join("\n")).toContain("SESSION_SECRET: expected in production");
  });

  test("commands don't ask for it", async () => {
    const { code, stdout } = await runCommand(
      { ...PRODUCTION, ...GATEWAY, DATA_DIR: join(dataDir, "polecenie") },
      ["migrate"],
    );
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ran:\n/)]);
  });
});

test("[S18] production without a gateway says so in one line", async () => {
  const { code, said } = await start({ ...PRODUCTION, DATA_DIR: join(dataDir, "produkcja") });
  expect([code, said.length, said]).toEqual([1, 1, [expect.stringMatching(/SMS/)]]);
});

test("[S18] production on a demo database says so in one line, whichever keys it has", async () => {
  const folder = join(dataDir, "pokaz");
  await (await startPortal({ dataDir: folder })).stop();
  const { code, said } = await start({ ...PRODUCTION, ...GATEWAY, DATA_DIR: folder });
  expect([code, said]).toEqual([
    1,
    ["this database holds the demo's customers: production needs a database of its own"],
  ]);
});

describe("[S116] an address that can't be listened on: one line, exit code 1", () => {
  test("the port is taken", async () => {
    const portal = await startPortal();
    const { code, said } = await start({ PORT: String(portal.port), DATA_DIR: join(dataDir, "zajety") });
    expect([code, said]).toEqual([1, ["PORT: another process listens on it"]]);
    await portal.stop();
  });

  test("unless HOST says another, it listens on 127.0.0.1 alone, whoever starts it", async () => {
    const portal = await startPortal();
    // Every address of 127.0.0.0/8 is this machine's.
    await expect(fetch(`http://127.0.0.2:${portal.port}/healthz`)).rejects.toMatchObject({
      cause: { code: "ECONNREFUSED" },
    });
    await portal.stop();
  });

  test.each(["192.0.2.1", "kanarek.invalid"])("the host is elsewhere: %s", async (HOST) => {
    const { code, said } = await start({ HOST, DATA_DIR: join(dataDir, "gdzie-indziej") });
    expect([code, said]).toEqual([1, ["HOST: not an address of this machine"]]);
  });
});

test("[S116] a data directory that can never exist: one line, exit code 1", async () => {
  const { code, said } = await start({ DATA_DIR: "/proc/portal/data" });
  expect([code, said]).toEqual([
    1,
    [expect.stringMatching(/^the data directory \/proc\/portal\/data cannot be created: /)],
  ]);
});

test("the same file may hold variables of the nginx template", async () => {
  const portal = await startPortal({ env: { PORTAL_SERVERS: "server 127.0.0.1:3000;", TLS_KEY: "key.pem" } });
  expect((await portal.stop()).code).toBe(0);
});
