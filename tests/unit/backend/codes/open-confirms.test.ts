import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { metricsText } from "~/platform/telemetry/metrics.server";
import { Browser, latestCode, type Answer } from "../../../contract/browser";
import { onRacingDatabase } from "../../../database";
import { ANNA, MARIA } from "../../../demo-customers";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const MOST = 6;
const HOME = "2001:db8:1:2::1";
const NEIGHBOUR = "2001:db8:1:2:ffff::2";
const ELSEWHERE = "2001:db8:1:3::1";
const NEW_PASSWORD = "Nowe-Haslo-2026";
const LIMITED = { errorCode: "rate-limited", retryAfterSeconds: 600 };

const authorizationCode = "000000";
const remindPath = "/home/api/user/login-remind/confirm";
const resetPath = (username: string) => `/home/api/user/${username}/password-reset/confirm`;
const remind = (browser: Browser, policyNo = "POL-999999", code = authorizationCode) =>
  browser.post(remindPath, { policyNo, authorizationCode: code });
const reset = (browser: Browser, username = "nikt.taki") =>
  browser.post(resetPath(username), { newPassword: NEW_PASSWORD, authorizationCode });
const register = (browser: Browser, policyNo = "POL-999999") =>
  browser.post("/home/api/user/register/confirm", {
    policyNo,
    pid: "44051401458",
    password: NEW_PASSWORD,
    authorizationCode,
  });
const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status);

onRacingDatabase((kind) => {
  describe("[S110] confirms of signed-out visitors", () => {
    let way: TestBackend;
    beforeEach(async () => {
      const limits = { ...defaultLimits("demo"), ADDRESS_CONFIRMS_PER_10_MINUTES: MOST };
      way = await openTestBackend({ kind, limits });
    });
    afterEach(() => way.close());

    async function useUp(address = HOME): Promise<void> {
      for (let nth = 0; nth < MOST; nth += 1)
        expect((await remind(new Browser(way, address))).status).toBe(400);
    }

    it("are limited per address, all kinds together, for known and unknown details alike: 429 and a wait", async () => {
      const kinds = [
        (browser: Browser) => remind(browser),
        (browser: Browser) => remind(browser, ANNA.policyNo),
        (browser: Browser) => reset(browser),
        (browser: Browser) => reset(browser, ANNA.username),
        (browser: Browser) => register(browser),
        (browser: Browser) => register(browser, ANNA.policyNo),
      ];
      for (const confirm of kinds) expect((await confirm(new Browser(way, HOME))).status).toBe(400);
      for (const confirm of kinds) {
        const answer = await confirm(new Browser(way, NEIGHBOUR));
        expect([answer.status, answer.body]).toEqual([429, LIMITED]);
        expect(answer.headers.get("Retry-After")).toBe("600");
      }
      expect((await remind(new Browser(way, ELSEWHERE))).status).toBe(400);
      way.advance(10 * MINUTE - 1);
      expect((await remind(new Browser(way, HOME))).body).toEqual({ ...LIMITED, retryAfterSeconds: 1 });
      way.advance(1);
      expect((await remind(new Browser(way, HOME))).status).toBe(400);
    });

    it("are looked at no more often than the limit allows, even fifty at once", async () => {
      const answers = await fifty((nth) => remind(new Browser(way, HOME), `POL-9${nth}`));
      expect(statusesOf(answers).filter((status) => status === 400)).toHaveLength(MOST);
      expect(statusesOf(answers).filter((status) => status === 429)).toHaveLength(50 - MOST);
    });

    it("count with a broken payload, too", async () => {
      const broken = { authorizationCode: "000000", policyNo: "x".repeat(4001) };
      for (let nth = 0; nth < MOST; nth += 1)
        expect((await new Browser(way, HOME).post(remindPath, broken)).status).toBe(422);
      expect((await new Browser(way, HOME).post(remindPath, broken)).status).toBe(429);
    });

    it("[S118] don't count without a code, which is compared with nothing", async () => {
      for (let nth = 0; nth <= MOST; nth += 1)
        expect((await new Browser(way, HOME).post(remindPath, {})).status).toBe(422);
    });

    it("cost the code no try when they are refused, and the code works from elsewhere", async () => {
      const browser = new Browser(way, ELSEWHERE);
      await browser.post("/home/api/user/login-remind/init", { policyNo: ANNA.policyNo });
      const code = await latestCode(way, ANNA.phone);
      await useUp();
      const guesser = new Browser(way, HOME);
      for (const [name, value] of browser.cookies) guesser.cookies.set(name, value);
      for (let nth = 0; nth < 10; nth += 1) expect((await remind(guesser, ANNA.policyNo)).status).toBe(429);
      expect((await remind(browser, ANNA.policyNo, code)).status).toBe(200);
    });

    it("don't count when a signed-in customer changes their own password, but do for somebody else's", async () => {
      const browser = new Browser(way, HOME);
      await browser.signIn(ANNA);
      await useUp();
      // Her browser is known, so it has as many confirms for itself.
      for (let nth = 0; nth < MOST; nth += 1) expect((await remind(browser)).status).toBe(400);
      expect((await reset(browser, ANNA.username)).status).toBe(400);
      expect((await reset(browser, MARIA.username)).status).toBe(429);
      expect((await remind(browser)).status).toBe(429);
    });

    it("that are refused cost the database nothing, not even the count", async () => {
      await useUp();
      expect((await remind(new Browser(way, HOME))).status).toBe(429);
      const counted = () => way.query("select * from windows where bucket like 'confirms|%'");
      expect(await counted()).toHaveLength(1);
      // The process remembers the limit.
      await way.change("delete from windows");
      expect((await remind(new Browser(way, NEIGHBOUR))).body).toEqual(LIMITED);
      expect(await counted()).toEqual([]);
    });
  });
});

it("[S110] confirms beyond the limit are counted in a metric, so that an alarm sees guessing", async () => {
  const limits = { ...defaultLimits("demo"), ADDRESS_CONFIRMS_PER_10_MINUTES: 1 };
  const way = await openTestBackend({ limits });
  for (let nth = 0; nth < 3; nth += 1) await reset(new Browser(way, HOME));
  const count = /portal_codes_checked_total\{purpose="password",result="rate-limited"\} (\d+)/;
  expect(Number(count.exec(await metricsText())?.[1])).toBeGreaterThanOrEqual(2);
  await way.close();
});
