import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";
import { defaultLimits } from "~/platform/config/limits";

const problemsOf = (source: Readonly<Record<string, string | undefined>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? [] : reading.problems;
};
const environmentOf = (source: Readonly<Record<string, string | undefined>>) => {
  const reading = readEnvironment(source);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return reading.environment;
};

const SECRET = randomBytes(32).toString("base64");
const KEY = randomBytes(32);
const DATA_KEYS = `1:${KEY.toString("base64")}`;

const SMS = {
  SMS_GATEWAY: "webhook",
  SMS_WEBHOOK_URL: "https://sms.insurer.example/messages",
  SMS_WEBHOOK_TOKEN: "k7Qw2ZtV9bLx4NcR",
};

describe("without any variable", () => {
  it("the portal is a demo that listens on this machine only", () => {
    expect(environmentOf({})).toMatchObject({
      PORTAL_MODE: "demo",
      HOST: "127.0.0.1",
      METRICS_HOST: "127.0.0.1",
      PORT: 3000,
      DATA_DIR: ".data",
      FACTORS: ["app", "passkey"],
      PASSKEY_SIGN_IN: "on",
      TRUSTED_DEVICES: "on",
      BACKEND_HOSTS: [],
      TRUSTED_PROXIES: [],
      SMS_PREFIXES: ["+48"],
      SMS_DOMAIN_BOUND: "on",
      BRAND_NAME: "Tarnea Ubezpieczenia",
      limits: defaultLimits("demo"),
    });
  });

  it("an empty variable counts as absent, and other programs' variables are ignored", () => {
    const empty = { PORTAL_MODE: "", PORT: "", SESSION_SECRET: "", PUBLIC_ORIGIN: "", LIMIT_CODE_TRIES: "" };
    expect(environmentOf({ ...empty, HOME: "/root", LIMITS: "x", PATH: undefined })).toEqual(
      environmentOf({}),
    );
  });
});

describe("in production", () => {
  const production = {
    PORTAL_MODE: "production",
    PUBLIC_ORIGIN: "https://portal.example",
    SESSION_SECRET: SECRET,
    DATA_KEYS,
    ...SMS,
  };

  it("[S18] nothing is made up: a missing origin, secret, key or SMS gateway is named", () => {
    expect(environmentOf(production)).toMatchObject({
      PORTAL_MODE: "production",
      limits: defaultLimits("production"),
    });
    expect(problemsOf({ PORTAL_MODE: "production" })).toEqual([
      "SMS_GATEWAY: expected smsapi or webhook in production",
      "PUBLIC_ORIGIN: expected an https origin in production",
      "SESSION_SECRET: expected in production",
      "DATA_KEYS: expected in production",
    ]);
  });

  it("a portal with an attached backend needs no data keys and no SMS gateway", () => {
    const attached = {
      ...production,
      DATA_KEYS: "",
      SMS_GATEWAY: "",
      BACKEND_URL: "https://backend.example",
    };
    expect(problemsOf(attached)).toEqual([]);
  });

  it("customers use https only", () => {
    expect(problemsOf({ ...production, PUBLIC_ORIGIN: "http://portal.example" })).toEqual([
      "PUBLIC_ORIGIN: expected an https origin in production",
    ]);
  });
});

describe("each variable", () => {
  it.each<[string, string, unknown]>([
    ["PORTAL_MODE", "demo", "demo"],
    ["HOST", "0.0.0.0", "0.0.0.0"],
    ["PORT", "1", 1],
    ["PORT", "65535", 65_535],
    ["DATA_DIR", "/var/lib/portal", "/var/lib/portal"],
    ["FACTORS", "", []],
    ["FACTORS", "passkey, app", ["passkey", "app"]],
    ["PUBLIC_ORIGIN", "https://portal.example", "https://portal.example"],
    ["PUBLIC_ORIGIN", "https://portal.example/", "https://portal.example"],
    ["PUBLIC_ORIGIN", "http://localhost:3000", "http://localhost:3000"],
    ["BACKEND_URL", "http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["BACKEND_URL", "https://backend.example/", "https://backend.example"],
    [
      "BACKEND_HOSTS",
      "api.example, 10.0.0.5:3000,[::1]:3000",
      ["api.example", "10.0.0.5:3000", "[::1]:3000"],
    ],
    ["BACKEND_HOSTS", " , ", []],
    [
      "TRUSTED_PROXIES",
      "127.0.0.1, 10.0.0.0/8 ,::1,fd00::/16,::ffff:10.0.0.0/104",
      ["127.0.0.1", "10.0.0.0/8", "::1", "fd00::/16", "::ffff:10.0.0.0/104"],
    ],
    ["SESSION_SECRET", SECRET, [SECRET]],
    ["SESSION_SECRET", `${SECRET}, ${SECRET}x`, [SECRET, `${SECRET}x`]],
    ["DATA_KEYS", DATA_KEYS, [{ version: 1, key: KEY }]],
    ["LOG_LEVEL", "silent", "silent"],
    ["NOTIFY_SOCKET", "/run/systemd/notify", "/run/systemd/notify"],
    ["WATCHDOG_USEC", "15000000", 15_000_000],
  ])("%s=%s is understood", (name, value, read) => {
    expect(environmentOf({ [name]: value })).toMatchObject({ [name]: read });
  });

  it.each(["10.0.0.0/7", "10.0.0.1, 0.0.0.0/0", "fd00::/15", "::/0", "::ffff:10.0.0.0/103", "::/64"])(
    "[S125] TRUSTED_PROXIES=%s would let strangers say who they are, and is refused",
    (value) => {
      expect(problemsOf({ TRUSTED_PROXIES: value })).toEqual([
        "TRUSTED_PROXIES: expected no block wider than /8 (IPv6: /16)",
      ]);
    },
  );

  it("[S88] that is wrong is named, all at once, and no secret is shown", () => {
    const problems = problemsOf({
      PORT: "x",
      SESSION_SECRET: "Kanarek-7391",
      LOG_LEVEL: "x",
      LIMIT_CODE_TRIES: "x",
    });
    expect(problems.map((problem) => problem.split(":")[0]).toSorted()).toEqual([
      "LIMIT_CODE_TRIES",
      "LOG_LEVEL",
      "PORT",
      "SESSION_SECRET",
    ]);
    expect(problems.join("\n")).not.toContain("Kanarek");
  });
});
