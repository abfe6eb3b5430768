import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer as createTlsServer } from "node:https";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { daysFinding } from "~/backend/doctor/checks.server";
import { runChecks } from "~/backend/doctor/check.server";
import { diskFinding } from "~/backend/doctor/folder-checks.server";
import { LIMITS } from "~/platform/config/limits";
import { startCommand } from "../../../operator-command";
import { type Behaviour, startSmsapiServer } from "../../../smsapi-server";
import { makeCertificate } from "../../../topology/certificate";
import { CAN_MOUNT, mountDisk } from "../../../small-disk";
import { newDataDir } from "../../backend/test-place";
import { answering, find, portOf, settingsFrom } from "./found";

describe("portal doctor, over the network", () => {
  const sms = (port: number) => ({
    SMS_GATEWAY: "webhook",
    SMS_WEBHOOK_URL: `http://127.0.0.1:${port}/messages`,
    SMS_WEBHOOK_TOKEN: randomBytes(16).toString("hex"),
  });

  /** A gateway that answers with this status. */
  const gateway = (status: number) =>
    answering((request, response) => {
      request.resume().once("end", () => response.writeHead(status).end());
    });

  it("blames the clock, not SESSION_SECRET, if a portal can't take its question for that", async () => {
    const port = await answering((_request, response) => response.end("ok\n"));
    const variables = {
      PUBLIC_ORIGIN: `http://127.0.0.1:${port}`,
      SESSION_SECRET: randomBytes(32).toString("base64"),
    };
    expect((await find("portal", variables))?.text).toContain("it has another SESSION_SECRET");
    const late = await find("portal", variables, () => Date.now() + 600_000);
    expect(late?.level).toBe("warning");
    expect(late?.text).toMatch(/the clocks are too far apart to ask: synchronise them \(NTP\)$/);
  });

  it("asks the SMS gateway as a message would, without number and text", async () => {
    const bodies: string[] = [];
    const port = await answering((request, response) => {
      request.setEncoding("utf8").on("data", (body: string) => bodies.push(body));
      request.once("end", () => response.writeHead(422).end());
    });
    expect(await find("SMS gateway", sms(port))).toMatchObject({
      level: "ok",
      text: `127.0.0.1:${port} takes messages`,
    });
    expect(bodies.map((body) => JSON.parse(body) as object)).toEqual([
      { id: expect.any(String) as string, test: true },
    ]);
  });

  it.each([401, 500])("finds a gateway that answers %i to every message", async (status) => {
    const port = await gateway(status);
    expect(await find("SMS gateway", sms(port))).toMatchObject({
      level: "problem",
      text: `127.0.0.1:${port} takes no messages: status ${status}; customers get no codes`,
    });
  });

  it.each<[Behaviour, string, string]>([
    ["documented", "ok", "takes messages"],
    [{ error: 103 }, "problem", "takes no messages: error 103: no credits left; customers get no codes"],
  ])("asks SMSAPI.pl for a test that sends nothing: %j", async (behaviour, level, text) => {
    const server = await startSmsapiServer();
    onTestFinished(() => server.close());
    server.behave(behaviour);
    const account = {
      SMS_GATEWAY: "smsapi",
      SMS_SMSAPI_URL: server.url,
      SMS_SMSAPI_TOKEN: server.token,
      SMS_SENDER: "Tarnea",
    };
    expect(await find("SMS gateway", account)).toMatchObject({
      level,
      text: `${new URL(server.url).host} ${text}`,
    });
    expect([server.requests(), server.sent]).toEqual([1, []]);
  });

  it.each<[string, Record<string, string>, string]>([
    ["SMS gateway", sms(1), "127.0.0.1:1 is not reached: ECONNREFUSED; customers get no codes"],
    ["portal", { PUBLIC_ORIGIN: "http://127.0.0.1:1" }, "127.0.0.1:1"],
    [
      "certificate",
      { PUBLIC_ORIGIN: "https://127.0.0.1:1" },
      "https://127.0.0.1:1 is not reached from here: ECONNREFUSED",
    ],
    ["backend", { BACKEND_URL: "http://127.0.0.1:1" }, "127.0.0.1:1"],
  ])("finds that nothing takes connections: %s", async (name, variables, text) => {
    expect(await find(name, variables)).toMatchObject({
      level: "problem",
      text: expect.stringContaining(text) as string,
    });
  });

  const fallback = (port: number) => ({
    SMS_FALLBACK_GATEWAY: "webhook",
    SMS_FALLBACK_WEBHOOK_URL: `http://127.0.0.1:${port}/messages`,
    SMS_FALLBACK_WEBHOOK_TOKEN: randomBytes(16).toString("hex"),
  });

  it("looks at the second gateway, and says what is left while one is away", async () => {
    const port = await gateway(200);
    const both = async (variables: Record<string, string>) => {
      const [first, second] = [await find("SMS gateway", variables), await find("SMS fallback", variables)];
      return [first?.level, first?.text, second?.level, second?.text];
    };
    const reached = `127.0.0.1:${port} takes messages`;
    const away = "127.0.0.1:1 is not reached: ECONNREFUSED";
    const NO_CODES = "while the first gateway fails, customers get no codes";
    expect(await both(sms(port))).toEqual(["ok", reached, "ok", "none: SMS_FALLBACK_GATEWAY is not set"]);
    expect(await both({ ...sms(port), ...fallback(port) })).toEqual(["ok", reached, "ok", reached]);
    expect(await both({ ...sms(1), ...fallback(port) })).toEqual([
      "warning",
      `${away}; codes go through the second gateway`,
      "ok",
      reached,
    ]);
    expect(await both({ ...sms(port), ...fallback(1) })).toEqual([
      "ok",
      reached,
      "warning",
      `${away}; ${NO_CODES}`,
    ]);
    expect(await both({ ...sms(1), ...fallback(1) })).toEqual([
      "problem",
      `${away}; customers get no codes`,
      "warning",
      `${away}; ${NO_CODES}`,
    ]);
  });

  /** A site that answers these two addresses, and nothing else. */
  const site = (alive: readonly [number, string], ready: readonly [number, string]) =>
    answering(({ url }, response) => {
      const answers: Readonly<Record<string, readonly [number, string]>> = {
        "/healthz": alive,
        "/readyz": ready,
      };
      const [status, body] = answers[url ?? ""] ?? [404, ""];
      response.writeHead(status).end(body);
    });

  it.each<[readonly [number, string], readonly [number, string], string, RegExp]>([
    [
      [200, "ok\n"],
      [404, ""],
      "ok",
      /answers; without SESSION_SECRET it is not known whether by this portal$/,
    ],
    [
      [200, "ok\n"],
      [503, "not ready: database\n"],
      "problem",
      /readyz says "not ready: database": customers are not/,
    ],
    [[503, "no portal"], [404, ""], "problem", /healthz answers with status 503/],
    [[200, "<h1>Witamy</h1>"], [200, ""], "problem", /does not answer as a portal does: "<h1>Witamy<\/h1>"$/],
  ])("asks PUBLIC_ORIGIN whether it serves: %j, %j", async (alive, ready, level, text) => {
    const port = await site(alive, ready);
    expect(await find("portal", { PUBLIC_ORIGIN: `http://127.0.0.1:${port}` })).toMatchObject({
      level,
      text: expect.stringMatching(text) as string,
    });
  });

  it("finds a certificate that browsers refuse, and trusts the insurer's own CA with NODE_EXTRA_CA_CERTS", async () => {
    const { certificate, key } = await makeCertificate(newDataDir());
    const pem = { cert: readFileSync(certificate), key: readFileSync(key) };
    // Checks of the portal wait for an answer.
    const port = await portOf(createTlsServer(pem, (_request, response) => response.end()));
    const origin = { PUBLIC_ORIGIN: `https://127.0.0.1:${port}` };
    expect(await find("certificate", origin)).toMatchObject({
      level: "problem",
      text: `browsers refuse the certificate of https://127.0.0.1:${port}: DEPTH_ZERO_SELF_SIGNED_CERT`,
    });
    const env = { ...origin, DATA_DIR: newDataDir(), NODE_EXTRA_CA_CERTS: certificate };
    expect((await startCommand(env, ["doctor"]).ended).stdout).toMatch(/certificate: good for \d+ more days/);
  });

  it.each([
    [0, "ok"],
    [-3500, "warning"],
    [9000, "problem"],
  ])("compares the clock with PUBLIC_ORIGIN's: %d ms off", async (off, level) => {
    const port = await answering((_request, response) => {
      response.end();
    });
    const origin = { PUBLIC_ORIGIN: `http://127.0.0.1:${port}` };
    const found = await find("clock, beside PUBLIC_ORIGIN's", origin, () => Date.now() + off);
    expect(found).toMatchObject({
      level,
      text: expect.stringMatching(/^they differ by \d+\.\d s/) as string,
    });
  });

  it.each([
    [{ "X-Request-Id": "1", "X-Location": "/home/cookies" }, undefined],
    [{ "X-Location": "/home/cookies" }, "X-Request-Id"],
    [{}, "X-Request-Id and X-Location"],
  ])(
    "asks PUBLIC_ORIGIN as a page's script does: of answers with %j it misses %s",
    async (headers, missing) => {
      const port = await answering(({ headers: sent }, response) => {
        response.writeHead(sent["x-portal-form"] === "1" ? 204 : 302, headers).end();
      });
      const origin = `http://127.0.0.1:${port}`;
      expect(await find("headers", { PUBLIC_ORIGIN: origin })).toMatchObject(
        missing === undefined
          ? { level: "ok" }
          : {
              level: "warning",
              text: `answers of ${origin} lack ${missing}, so customers must send each form twice: let proxies pass them`,
            },
      );
    },
  );

  it.each([
    ["the embedded backend", { DATA_KEYS: `1:${randomBytes(32).toString("base64")}`, ...sms(1) }],
    ["an attached backend", { BACKEND_URL: "http://127.0.0.1:1" }],
  ])("[S125] finds production without TRUSTED_PROXIES, with %s", async (_what, backend) => {
    const production = {
      PORTAL_MODE: "production",
      PUBLIC_ORIGIN: "https://127.0.0.1:1",
      SESSION_SECRET: randomBytes(32).toString("base64"),
      ...backend,
    };
    expect(await find("proxies", production)).toMatchObject({
      level: "problem",
      text: expect.stringMatching(/^the portal speaks http .*: name it in TRUSTED_PROXIES, /) as string,
    });
    expect(await find("proxies", { ...production, TRUSTED_PROXIES: "127.0.0.1,10.0.0.0/8" })).toMatchObject({
      level: "ok",
      text: "trusted: 127.0.0.1, 10.0.0.0/8; no portal at PUBLIC_ORIGIN said more",
    });
  });

  it.each([
    ["com.pl", "problem", /^PASSKEY_RP_ID is com\.pl, below which anyone can register a domain: /],
    ["insurer.com.pl", "ok", /^they belong to insurer\.com\.pl$/],
  ])("looks at whose passkeys are: %s", async (id, level, text) => {
    const found = await find("passkeys", { PUBLIC_ORIGIN: "https://insurer.com.pl", PASSKEY_RP_ID: id });
    expect(found).toMatchObject({ level, text: expect.stringMatching(text) as string });
  });

  it.each([
    [401, "ok"],
    [503, "problem"],
  ])("asks the attached backend instead of a database: status %d", async (status, level) => {
    const port = await answering((_request, response) => {
      response.writeHead(status).end();
    });
    const variables = { BACKEND_URL: `http://127.0.0.1:${port}` };
    expect(await find("backend", variables)).toMatchObject({ level });
    expect(await find("database", variables)).toBeUndefined();
  });
});

describe.runIf(CAN_MOUNT)("portal doctor, on disks that are nearly full", () => {
  it("warns of the disks of backups and archives, and of folders that are not there", async () => {
    const disk = mountDisk();
    onTestFinished(disk.remove);
    disk.fill(1024 * 1024);
    const full = { BACKUP_DIR: disk.folder, AUDIT_ARCHIVE_DIR: disk.folder };
    const away = { BACKUP_DIR: join(disk.folder, "backups"), AUDIT_ARCHIVE_DIR: join(disk.folder, "audit") };
    for (const name of ["backups' disk", "archive's disk"]) {
      expect(await find(name, full)).toMatchObject({
        level: "warning",
        text: expect.stringMatching(/^1 MB free where .*: make room, or /) as string,
      });
      expect(await find(name, away)).toMatchObject({
        level: "warning",
        text: expect.stringMatching(/ is not there: mount it, or /) as string,
      });
    }
  });
});

describe("a check of portal doctor", () => {
  const settings = settingsFrom({});
  const installation = {
    settings,
    database: { kind: "sqlite" as const },
    clock: () => 0,
    db: () => {
      throw new Error("not opened here");
    },
  };

  it("that fails is a problem in one line, and checks that need it are left out", async () => {
    const fails = { name: "one", needs: [], run: () => Promise.reject(new Error("broken\nat line 1")) };
    const needsIt = {
      name: "two",
      needs: ["one"],
      run: () => Promise.resolve({ level: "ok", text: "" } as const),
    };
    expect(await runChecks([fails, needsIt], installation)).toEqual([
      { name: "one", level: "problem", text: "broken" },
    ]);
  });

  it("that never ends is a problem", async () => {
    const never = { name: "one", needs: [], run: () => new Promise<never>(() => undefined) };
    const keepAlive = setInterval(() => undefined, 1000);
    expect(await runChecks([never], installation, 10)).toEqual([
      { name: "one", level: "problem", text: "no answer within 0.01 s" },
    ]);
    clearInterval(keepAlive);
  });
});

it.each([
  [21, "ok"],
  [20, "warning"],
  [7, "warning"],
  [6, "problem"],
  [-1, "problem"],
])("a certificate that is good for %d more days is judged: %s", (days, level) => {
  expect(daysFinding(days, LIMITS).level).toBe(level);
});

it("no certificate, or one whose end cannot be read, is a problem, and no number of days is named", () => {
  expect(daysFinding(Number.NaN, LIMITS)).toEqual({
    level: "problem",
    text: "there is no certificate, or its end cannot be read: replace it",
  });
});

it.each([
  [1_000_000_000, 5_000_000_000, "ok"],
  [999_999_999, 5_000_000_000, "warning"],
  [1_000_000_000, 50_000_000_000, "warning"],
  [200_000_000, 1_000_000_000, "warning"],
  [199_999_999, 1_000_000_000, "problem"],
])("%d free bytes of %d are judged: %s", (free, whole, level) => {
  expect(diskFinding({ free, whole }, LIMITS, "DATA_DIR").level).toBe(level);
});
