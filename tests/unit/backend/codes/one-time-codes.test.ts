import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits, LIMITS } from "~/platform/config/limits";
import { Browser, latestCode, messagesTo, wrongCode, errorCodeOf } from "../../../contract/browser";
import { ANNA, PIOTR } from "../../../demo-customers";
import { type DatabaseKind, onAnyDatabase, onRacingDatabase } from "../../../database";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

let way: TestBackend;
let browser: Browser;
function useBackend(kind: DatabaseKind): void {
  beforeEach(async () => {
    way = await openTestBackend({ kind, limits: defaultLimits("production") });
    browser = new Browser(way);
  });
  afterEach(() => way.close());
}

async function ask(who = browser, resend = false): Promise<string> {
  await who.login(ANNA);
  await who.askForCode(resend ? { resend } : {});
  return latestCode(way, ANNA.phone);
}

onAnyDatabase((kind) => {
  describe("a one-time code", () => {
    useBackend(kind);

    it("[S23] is valid for ten minutes by the backend's clock; then it is 010", async () => {
      const code = await ask();
      way.advance(10 * MINUTE - 1);
      expect(errorCodeOf(await browser.confirm(wrongCode(code)))).toBe("007");
      way.advance(1);
      expect(errorCodeOf(await browser.confirm(code))).toBe("010");
    });

    it("[S27] is not sent again within 30 seconds, but is after that", async () => {
      await ask();
      way.advance(30 * SECOND - 1);
      await browser.askForCode();
      expect(await messagesTo(way, ANNA.phone)).toBe(1);
      way.advance(1);
      await browser.askForCode();
      expect(await messagesTo(way, ANNA.phone)).toBe(2);
    });

    it("[S26] voids the one before it", async () => {
      const old = await ask();
      way.advance(MINUTE);
      const code = await ask();
      if (old !== code) expect(errorCodeOf(await browser.confirm(old))).toBe("007");
      expect((await browser.confirm(code)).status).toBe(200);
    });

    it("[S22] keeps its wrong tries across a resend, expiry and a new sign-in: after four comes 016", async () => {
      let code = await ask();
      for (let nth = 1; nth <= 2; nth += 1)
        expect(errorCodeOf(await browser.confirm(wrongCode(code, nth)))).toBe("007");
      way.advance(2 * SECOND);
      code = await ask(browser, true);
      expect(errorCodeOf(await browser.confirm(wrongCode(code)))).toBe("007");
      way.advance(11 * MINUTE);
      code = await ask();
      expect(errorCodeOf(await browser.confirm(wrongCode(code)))).toBe("007");
      expect(errorCodeOf(await browser.confirm(wrongCode(code)))).toBe("016");
      expect(errorCodeOf(await browser.confirm(code))).toBe("016");
    });

    it("[S22] can be replaced at once after a 016, with new tries", async () => {
      const code = await ask();
      for (let nth = 1; nth <= 5; nth += 1) await browser.confirm(wrongCode(code, nth));
      const next = await ask(browser, true);
      expect(await messagesTo(way, ANNA.phone)).toBe(2);
      for (let nth = 1; nth <= 4; nth += 1)
        expect(errorCodeOf(await browser.confirm(wrongCode(next, nth)))).toBe("007");
      expect((await browser.confirm(next)).status).toBe(200);
    });

    it("confirmed again within ten seconds is answered like the first time, but not later", async () => {
      const code = await ask();
      const late = browser.twin();
      const first = await browser.confirm(code, "Y");
      way.advance(10 * SECOND - 1);
      const second = await late.confirm(code, "Y");
      expect([second.status, second.setCookies]).toEqual([200, first.setCookies]);
      way.advance(1);
      expect((await late.confirm(code, "Y")).body).toEqual({ errorCode: "010" });
      expect((await browser.get("/cp/api/policies")).status).toBe(200);
    });

    it("[S25] requested by a stranger does not affect the one just sent to the customer", async () => {
      const code = await ask();
      await ask(new Browser(way));
      expect((await browser.confirm(code)).status).toBe(200);
    });

    it("is not sent for an hour after 15 wrong tries in a day in all browsers; then the count restarts", async () => {
      for (let jar = 0; jar < 3; jar += 1) {
        const visitor = new Browser(way);
        const code = await ask(visitor);
        for (let nth = 1; nth <= 5; nth += 1) await visitor.confirm(wrongCode(code, nth));
      }
      const stopped = new Browser(way);
      await stopped.login(ANNA);
      const answer = await stopped.askForCode();
      expect(answer).toMatchObject({
        status: 429,
        body: { errorCode: "rate-limited", retryAfterSeconds: 3600 },
      });
      expect(answer.headers.get("Retry-After")).toBe("3600");

      const other = new Browser(way);
      await other.login(PIOTR);
      expect((await other.askForCode()).status).toBe(200);

      way.advance(HOUR);
      const code = await ask(browser);
      for (let nth = 1; nth <= 4; nth += 1) await browser.confirm(wrongCode(code, nth));
      expect((await browser.confirm(code)).status).toBe(200);
    });

    it("is sent as before if the fifteenth try is right", async () => {
      for (let jar = 0; jar < 2; jar += 1) {
        const visitor = new Browser(way);
        const code = await ask(visitor);
        for (let nth = 1; nth <= 5; nth += 1) await visitor.confirm(wrongCode(code, nth));
      }
      const code = await ask();
      for (let nth = 1; nth <= 4; nth += 1) await browser.confirm(wrongCode(code, nth));
      expect((await browser.confirm(code)).status).toBe(200);
      const next = new Browser(way);
      await next.login(ANNA);
      expect((await next.askForCode()).status).toBe(200);
    });
  });
});

onRacingDatabase((kind) => {
  describe("one-time codes at once", () => {
    useBackend(kind);

    it("[S27, S106] requested by the resend link, is sent again at once, then only after the throttle's time", async () => {
      await ask();
      await fifty(() => browser.twin().askForCode({ resend: true }));
      expect(await messagesTo(way, ANNA.phone)).toBe(2);
      way.advance(LIMITS.RESEND_THROTTLE_MS - 1);
      await browser.askForCode({ resend: true });
      expect(await messagesTo(way, ANNA.phone)).toBe(2);
      way.advance(1);
      await fifty(() => browser.twin().askForCode({ resend: true }));
      expect(await messagesTo(way, ANNA.phone)).toBe(3);
    });

    it("[S27] requested fifty times at once, counts once towards the caps: nobody is told to wait", async () => {
      const { policyNo } = ANNA;
      await browser.get("/home/api/user/info");
      const answers = await fifty(() =>
        browser.twin().post("/home/api/user/login-remind/init", { policyNo }),
      );
      expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
      expect(await messagesTo(way, ANNA.phone)).toBe(1);
    });

    it("[S24] for a reminder, confirmed fifty times at once, always tells the username and is used once", async () => {
      await browser.post("/home/api/user/login-remind/init", { policyNo: ANNA.policyNo });
      const payload = { policyNo: ANNA.policyNo, authorizationCode: await latestCode(way, ANNA.phone) };
      const answers = await fifty(() => browser.twin().post("/home/api/user/login-remind/confirm", payload));
      expect(new Set(answers.map(({ body }) => JSON.stringify(body)))).toEqual(
        new Set([JSON.stringify({ username: ANNA.username })]),
      );
      expect(await way.query("select * from audit_events where event = 'username-reminded'")).toHaveLength(1);
    });

    it("[S21] for a reminder, among eleven wrong ones at once, works before the fifth or is blocked", async () => {
      await browser.post("/home/api/user/login-remind/init", { policyNo: ANNA.policyNo });
      const code = await latestCode(way, ANNA.phone);
      const send = (authorizationCode: string) =>
        browser
          .twin()
          .post("/home/api/user/login-remind/confirm", { policyNo: ANNA.policyNo, authorizationCode });
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, nth) => send(nth === 5 ? code : wrongCode(code, nth + 1))),
      );
      const [right] = answers.splice(5, 1).map(({ body }) => body);
      const others = new Set(answers.map(errorCodeOf));
      expect(answers.filter((answer) => errorCodeOf(answer) === "007").length).toBeLessThanOrEqual(4);
      expect(right).toEqual(others.has("016") ? { errorCode: "016" } : { username: ANNA.username });
    });

    it("[S24] confirmed fifty times at once makes one session, one device and one audit event", async () => {
      const code = await ask();
      const answers = await fifty(() => browser.twin().confirm(code, "Y"));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(await way.query("select * from sessions")).toHaveLength(1);
      expect(await way.query("select * from trusted_devices")).toHaveLength(1);
      expect(await way.query("select * from audit_events where event = 'signed-in'")).toHaveLength(1);
    });

    it("confirmed while a sign-out comes, either signs in or leaves no session", async () => {
      const code = await ask();
      const [confirmed, dropped] = await Promise.all([
        browser.twin().confirm(code),
        browser.twin().delete("/home/api/session"),
      ]);
      expect(dropped.status).toBe(204);
      const sessions = await way.query("select state from sessions");
      expect(sessions).toEqual(confirmed.status === 200 ? [{ state: "active" }] : []);
    });
  });
});

// Drawing codes doesn't depend on the database.
it("[S20] a code has six digits, drawn evenly, leading zeros kept", async () => {
  const roomy = await openTestBackend({
    limits: { ...defaultLimits("demo"), SMS_KNOWN_PER_10_MINUTES: 1e6, SMS_KNOWN_PER_DAY: 1e6 },
  });
  const visitor = new Browser(roomy);
  await visitor.login(ANNA);
  for (let sent = 0; sent < 200; sent += 1) {
    await visitor.askForCode({ resend: true });
    roomy.advance(LIMITS.RESEND_THROTTLE_MS);
  }
  const codes = (await roomy.outbox()).map(({ text }) => /\d{6}/.exec(text)?.[0] ?? "");
  expect(codes).toHaveLength(200);
  expect(codes.some((code) => code.startsWith("0"))).toBe(true);
  const counts = Array.from({ length: 10 }, (_, digit) => codes.join("").split(String(digit)).length - 1);
  const expected = (codes.length * 6) / 10;
  const chiSquared = counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  // With 9 degrees of freedom, p < 1e-6 above this value.
  expect(chiSquared).toBeLessThan(45.1);
  await roomy.close();
});
