import { beforeEach, expect, it } from "vitest";
import { openVisit } from "~/visit/visit.server";
import { empty, json, replies, requests, reset } from "./backend-stub";
import { CONSENT, SESSION, visit } from "./visit";

beforeEach(reset);

const FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:128.0) Gecko/20100101 Firefox/128.0";

function visitWith(userAgent: string, language = "pl") {
  replies.userInit = () => json(200, {});
  replies.profile = () => json(401, {});
  replies.deleteSession = () => empty();
  return visit("/cp", {
    cookies: { ...CONSENT, session: SESSION, language },
    headers: { "User-Agent": userAgent, "X-Device-Name": "forged" },
  });
}

const namesSent = () => requests.map(({ headers }) => headers.get("X-Device-Name"));

it("every call says what the visitor's device is called, whatever the request claims", async () => {
  await visitWith(FIREFOX).run(async (args) => {
    const { backend } = await openVisit(args);
    await Promise.all([backend.call("userInit", {}), backend.call("profile", {})]);
    await backend.signOut();
    expect(await backend.deviceName()).toBe("Firefox 128, Windows");
  });
  expect(namesSent()).toEqual(Array(3).fill("Firefox%20128%2C%20Windows"));
});

it("an unknown device is named in the visitor's language, percent-encoded", async () => {
  for (const language of ["pl", "en"])
    await visitWith("w3m/0.5.3", language).run(async (args) =>
      (await openVisit(args)).backend.call("userInit", {}),
    );
  expect(namesSent()).toEqual([
    encodeURIComponent("nieznana przeglądarka, nieznany system"),
    "unknown%20browser%2C%20unknown%20system",
  ]);
});

it("each visitor's calls carry that visitor's own name", async () => {
  const one = visitWith(FIREFOX);
  const other = visitWith(FIREFOX.replaceAll("128", "140"));
  const [first, second] = await Promise.all(
    [one, other].map((visiting) => visiting.run(async (args) => openVisit(args))),
  );
  await second?.backend.call("userInit", {});
  await first?.backend.call("userInit", {});
  expect(namesSent()).toEqual(["Firefox%20140%2C%20Windows", "Firefox%20128%2C%20Windows"]);
});
