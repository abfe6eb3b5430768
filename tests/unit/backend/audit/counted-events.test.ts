import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { metricsRegistry, metricsText } from "~/platform/telemetry/metrics.server";
import { Browser, latestCode, wrongCode } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

let way: TestBackend;
beforeAll(async () => {
  way = await openTestBackend();
});
beforeEach(() => {
  metricsRegistry().resetMetrics();
});
afterAll(() => way.close());

/** The series that are not at zero, as `name{labels} value`. */
async function counted(...names: readonly string[]): Promise<string[]> {
  const lines = (await metricsText()).split("\n");
  return lines
    .filter((line) => names.some((name) => line.startsWith(name)) && !line.endsWith(" 0"))
    .toSorted();
}

it("[S16] wrong passwords and unknown usernames are counted and logged alike, tries during a lock apart", async () => {
  const browser = new Browser(way);
  for (let nth = 0; nth < 6; nth += 1) await browser.login({ ...ANNA, password: "Zle-Haslo-1" });
  for (let nth = 0; nth < 5; nth += 1)
    await browser.login({ username: `nikt.${nth}`, password: "Zle-Haslo-1" });
  expect(await counted("portal_sign_ins_total")).toEqual([
    'portal_sign_ins_total{result="blocked"} 1',
    'portal_sign_ins_total{result="wrong"} 10',
  ]);
  expect(way.logged.filter((line) => line.includes('"event":"password-wrong"'))).toHaveLength(10);
});

it("[S27] codes are counted by purpose when they are sent and when they are typed", async () => {
  way.advance(3_600_000);
  const browser = new Browser(way);
  await browser.login(ANNA);
  await browser.askForCode();
  const code = await latestCode(way, ANNA.phone);
  await browser.confirm(wrongCode(code));
  await browser.confirm(code);
  expect(await counted("portal_sign_ins_total", "portal_codes_", "portal_hash_wait_seconds_count")).toEqual([
    'portal_codes_checked_total{purpose="login",result="right"} 1',
    'portal_codes_checked_total{purpose="login",result="wrong"} 1',
    'portal_codes_sent_total{purpose="login"} 1',
    "portal_hash_wait_seconds_count 1",
    'portal_sign_ins_total{result="code-needed"} 1',
    'portal_sign_ins_total{result="signed-in"} 1',
  ]);
});

it.each([
  ["an unknown username", "nikt.taki"],
  ["a known one", ANNA.username],
])("[S2] a wrong password of %s costs one hash", async (_who, username) => {
  way.advance(3_600_000);
  await new Browser(way).login({ username, password: "Zle-Haslo-1" });
  expect(await counted("portal_hash_wait_seconds_count")).toEqual(["portal_hash_wait_seconds_count 1"]);
});
