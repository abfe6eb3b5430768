import { describe, expect, it } from "vitest";
import { readEnvironment } from "~/platform/config/environment.server";
import { hostOfCodes, readSmsSettings, sendsNotices } from "~/platform/config/sms-variables.server";

const problemsOf = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? [] : reading.problems;
};
const settingsOf = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  if (!reading.ok) throw new Error(reading.problems.join("\n"));
  return readSmsSettings(reading.environment);
};

const sendsWith = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok && sendsNotices(reading.environment);
};

const TOKEN = "k7Qw2ZtV9bLx4NcRhJ5m";
const SMSAPI = { SMS_GATEWAY: "smsapi", SMS_SMSAPI_TOKEN: TOKEN, SMS_SENDER: "Tarnea" };
const WEBHOOK = {
  SMS_GATEWAY: "webhook",
  SMS_WEBHOOK_URL: "https://sms.insurer.example/v1/messages?of=portal",
  SMS_WEBHOOK_TOKEN: TOKEN,
};

describe("the SMS gateway", () => {
  it("is the outbox in a demo that names none, otherwise the one named", () => {
    expect(settingsOf({})).toEqual({ gateway: "outbox" });
    expect(settingsOf({ SMS_GATEWAY: "outbox" })).toEqual({ gateway: "outbox" });
    expect(settingsOf(SMSAPI)).toEqual({
      gateway: "smsapi",
      url: "https://api.smsapi.pl/sms.do",
      token: TOKEN,
      sender: "Tarnea",
    });
    expect(settingsOf({ ...SMSAPI, SMS_SMSAPI_URL: "https://api2.smsapi.pl/sms.do" })).toMatchObject({
      url: "https://api2.smsapi.pl/sms.do",
    });
    expect(settingsOf(WEBHOOK)).toEqual({ gateway: "webhook", url: WEBHOOK.SMS_WEBHOOK_URL, token: TOKEN });
  });

  it.each([
    [{ SMS_GATEWAY: "smsapi" }, ["SMS_SMSAPI_TOKEN", "SMS_SENDER"]],
    [{ SMS_GATEWAY: "smsapi", SMS_SENDER: "Tarnea" }, ["SMS_SMSAPI_TOKEN"]],
    [{ SMS_GATEWAY: "webhook", SMS_WEBHOOK_TOKEN: TOKEN }, ["SMS_WEBHOOK_URL"]],
    [{ SMS_GATEWAY: "webhook" }, ["SMS_WEBHOOK_URL", "SMS_WEBHOOK_TOKEN"]],
  ])("%o lacks %o, and each is named", (given, lacking) => {
    expect(problemsOf(given)).toEqual(
      lacking.map((name) => `${name}: expected with SMS_GATEWAY=${given.SMS_GATEWAY}`),
    );
  });

  it("has a second one, with variables of its own", () => {
    const SECOND = {
      SMS_FALLBACK_GATEWAY: "smsapi",
      SMS_FALLBACK_SMSAPI_TOKEN: `${TOKEN}-2`,
      SMS_FALLBACK_SENDER: "Tarnea2",
    };
    expect(settingsOf({ ...WEBHOOK, ...SECOND })).toMatchObject({
      gateway: "webhook",
      fallback: {
        gateway: "smsapi",
        url: "https://api.smsapi.pl/sms.do",
        token: `${TOKEN}-2`,
        sender: "Tarnea2",
      },
    });
    expect(settingsOf({ ...SMSAPI, ...SECOND })).toMatchObject({ gateway: "smsapi", token: TOKEN });
    const webhook = {
      SMS_FALLBACK_GATEWAY: "webhook",
      SMS_FALLBACK_WEBHOOK_URL: WEBHOOK.SMS_WEBHOOK_URL,
      SMS_FALLBACK_WEBHOOK_TOKEN: TOKEN,
    };
    expect(settingsOf({ ...SMSAPI, ...webhook })).toMatchObject({
      fallback: { gateway: "webhook", url: WEBHOOK.SMS_WEBHOOK_URL, token: TOKEN },
    });
  });

  it.each([
    [
      { ...SMSAPI, SMS_FALLBACK_GATEWAY: "webhook" },
      ["SMS_FALLBACK_WEBHOOK_URL", "SMS_FALLBACK_WEBHOOK_TOKEN"],
    ],
    [{ ...SMSAPI, SMS_FALLBACK_GATEWAY: "smsapi" }, ["SMS_FALLBACK_SMSAPI_TOKEN", "SMS_FALLBACK_SENDER"]],
    [{ ...SMSAPI, SMS_FALLBACK_SMSAPI_TOKEN: TOKEN }, ["SMS_FALLBACK_GATEWAY"]],
    [{ ...SMSAPI, SMS_FALLBACK_WEBHOOK_URL: "https://sms.example" }, ["SMS_FALLBACK_GATEWAY"]],
    [
      { SMS_FALLBACK_GATEWAY: "smsapi", SMS_FALLBACK_SMSAPI_TOKEN: TOKEN, SMS_FALLBACK_SENDER: "Tarnea" },
      ["SMS_FALLBACK_GATEWAY"],
    ],
  ])("a second one with %o lacks %o", (given, lacking) => {
    expect(problemsOf(given).map((problem) => problem.split(":")[0])).toEqual(lacking);
  });

  it("[S18] can't be the outbox in production, and isn't needed with an attached backend", () => {
    const production = {
      PORTAL_MODE: "production",
      PUBLIC_ORIGIN: "https://portal.example",
      SESSION_SECRET: "b1Tz8vQe6mWx0KdL2rYc9nHs4uJf7pGa",
    };
    expect(problemsOf({ ...production, SMS_GATEWAY: "outbox" })).toContain(
      "SMS_GATEWAY: expected smsapi or webhook in production",
    );

    expect(problemsOf({ ...production, BACKEND_URL: "https://backend.example" })).toEqual([]);
  });

  it("[S96] sends notices in production, and in the demo only if asked to", () => {
    const production = {
      PORTAL_MODE: "production",
      PUBLIC_ORIGIN: "https://portal.example",
      SESSION_SECRET: "b1Tz8vQe6mWx0KdL2rYc9nHs4uJf7pGa",
      BACKEND_URL: "https://backend.example",
    };
    const seen = [{}, production].flatMap((mode) =>
      [{}, { SMS_NOTICES: "on" }, { SMS_NOTICES: "off" }].map((own) => sendsWith({ ...mode, ...own })),
    );
    expect(seen).toEqual([false, true, false, true, true, false]);
  });

  it.each([
    ["https://portal.tarnea.example", "portal.tarnea.example"],
    ["https://portal.tarnea.example:8443", "portal.tarnea.example"],
    ["http://portal.tarnea.example", undefined],
    ["https://192.0.2.1", undefined],
    ["https://[2001:db8::1]", undefined],
    [undefined, undefined],
  ])("[S31] codes sent for %s are bound to %s", (origin, host) => {
    const bound = (own: Readonly<Record<string, string>>) => {
      const reading = readEnvironment({ ...(origin && { PUBLIC_ORIGIN: origin }), ...own });
      return reading.ok ? hostOfCodes(reading.environment) : reading.problems;
    };
    expect(bound({})).toBe(host);
    expect(bound({ SMS_DOMAIN_BOUND: "on" })).toBe(host);
    expect(bound({ SMS_DOMAIN_BOUND: "off" })).toBeUndefined();
  });

  it("may use plain http on this machine", () => {
    for (const url of ["http://127.0.0.1:4010/", "http://localhost/sms", "http://[::1]:80/sms"])
      expect(problemsOf({ ...WEBHOOK, SMS_WEBHOOK_URL: url })).toEqual([]);
  });
});
