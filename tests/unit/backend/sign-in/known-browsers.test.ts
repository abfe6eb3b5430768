import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits, LIMITS } from "~/platform/config/limits";
import { Browser, latestCode, messagesTo, wrongCode, errorCodeOf } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const KNOWN = LIMITS.KNOWN_BROWSER_DAYS * DAY;

const RESET = `/home/api/user/${ANNA.username}/password-reset`;
const REMIND = "/home/api/user/login-remind";
const WRONG = { username: ANNA.username, password: "Niedobre-Haslo-2026" };

onAnyDatabase((kind) => {
  describe("[S107] a known browser", () => {
    let way: TestBackend;
    let home: Browser;
    beforeEach(async () => {
      way = await openTestBackend({ kind, limits: defaultLimits("production") });
      home = new Browser(way, "198.51.100.1");
      await home.signIn(ANNA);
    });
    afterEach(() => way.close());

    const elsewhere = (nth = 0) => new Browser(way, `203.0.113.${nth % 250}`);

    async function lockFromElsewhere(): Promise<void> {
      for (let nth = 0; nth < 5; nth += 1) await elsewhere(nth).login(WRONG);
      expect(errorCodeOf(await elsewhere().login(ANNA))).toBe("106");
    }

    it("opens nothing by itself: it needs the password and the code as before", async () => {
      home.cookies.delete("session");
      expect((await home.get("/home/api/user/info")).status).toBe(401);
      expect(errorCodeOf(await home.login(WRONG))).toBe("101");
      await home.login(ANNA);
      expect((await home.get("/cp/api/profile")).status).toBe(409);
    });

    it("is known to the account that signed in there and to no other", async () => {
      for (let nth = 0; nth < 5; nth += 1) await elsewhere(nth).login({ ...WRONG, username: PIOTR.username });
      expect(errorCodeOf(await home.login(PIOTR))).toBe("106");
    });

    it("gets its codes while strangers have used up all others for that number, even behind the password", async () => {
      for (let nth = 0; nth < 12; nth += 1) {
        await elsewhere(nth).post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
        await elsewhere(nth).post(`${RESET}/init`);
        const withPassword = elsewhere(nth);
        await withPassword.login(ANNA);
        await withPassword.askForCode();
      }
      const before = await messagesTo(way, ANNA.phone);
      expect(before).toBe(4 + 8);
      await home.post(`${RESET}/init`);
      await home.post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
      await home.login(ANNA);
      expect((await home.askForCode()).status).toBe(200);
      expect(await messagesTo(way, ANNA.phone)).toBe(before + 3);
    });

    it("has its own caps: eight codes in ten minutes and thirty a day; then it is told how long to wait", async () => {
      const ask = async (times: number) => {
        let got = 0;
        for (let nth = 0; nth < times; nth += 1) {
          way.advance(LIMITS.RESEND_THROTTLE_MS);
          if ((await home.post(`${RESET}/init`, { resend: true })).status === 200) got += 1;
        }
        return got;
      };
      expect(await ask(10)).toBe(8);
      const refused = await home.post(`${RESET}/init`, { resend: true });
      expect(refused.body).toEqual({
        errorCode: "rate-limited",
        retryAfterSeconds: 600 - (9 * LIMITS.RESEND_THROTTLE_MS) / SECOND,
      });
      for (const most of [8, 8, 6, 0]) {
        way.advance(10 * MINUTE);
        expect(await ask(9)).toBe(most);
      }
    });

    it("isn't stopped by wrong codes typed elsewhere, only by its own fifteen, which stop nobody else", async () => {
      const guess = async (browser: Browser) => {
        await browser.post(`${REMIND}/init`, { policyNo: ANNA.policyNo, resend: true });
        const authorizationCode = wrongCode(await latestCode(way, ANNA.phone));
        for (let nth = 0; nth < 5; nth += 1)
          await browser.post(`${REMIND}/confirm`, { policyNo: ANNA.policyNo, authorizationCode });
      };
      const ask = (browser: Browser) => browser.post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
      for (let nth = 0; nth < 3; nth += 1) await guess(elsewhere(nth));
      expect((await ask(elsewhere(9))).status).toBe(429);
      expect((await ask(home)).status).toBe(200);

      way.advance(DAY);
      for (let nth = 0; nth < 3; nth += 1) {
        await guess(home);
        way.advance(LIMITS.RESEND_THROTTLE_MS);
      }
      expect((await ask(home)).status).toBe(429);
      expect((await ask(elsewhere(10))).status).toBe(200);
    });

    it("has its own tries and confirms even if others at its address have used up theirs", async () => {
      const neighbour = () => new Browser(way, "198.51.100.1");
      const guess = { policyNo: "POL-999999", authorizationCode: "000000" };
      for (let nth = 0; nth < 60; nth += 1) {
        await neighbour().login({ username: "nikt.taki", password: "x" });
        await neighbour().post(`${REMIND}/confirm`, guess);
      }
      expect((await neighbour().login(ANNA)).status).toBe(429);
      expect((await neighbour().post(`${REMIND}/confirm`, guess)).status).toBe(429);
      await home.signIn(ANNA);
      await home.post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
      const authorizationCode = await latestCode(way, ANNA.phone);
      const reminded = await home.post(`${REMIND}/confirm`, { policyNo: ANNA.policyNo, authorizationCode });
      expect(reminded.body).toEqual({ username: ANNA.username });
    });

    it("stays known for its days after its last sign-in with a code, and its cookie lasts as long", async () => {
      way.advance(KNOWN - DAY);
      await home.login(ANNA);
      await home.askForCode();
      const confirmed = await home.confirm(await latestCode(way, ANNA.phone));
      expect(confirmed.setCookies.join("\n")).toMatch(
        new RegExp(`^browser=[\\w-]{43}; Max-Age=${KNOWN / SECOND}; `, "m"),
      );
      way.advance(KNOWN - 1);
      await lockFromElsewhere();
      expect((await home.login(ANNA)).status).toBe(200);
      way.advance(1);
      expect(errorCodeOf(await home.login(ANNA))).toBe("106");
    });

    it("isn't forgotten when the password is reset there", async () => {
      await home.post(`${RESET}/init`);
      const payload = {
        newPassword: "Nowe-Haslo-2026",
        authorizationCode: await latestCode(way, ANNA.phone),
      };
      expect((await home.post(`${RESET}/confirm`, payload)).status).toBe(200);
      await lockFromElsewhere();
      expect((await home.login({ ...ANNA, password: "Nowe-Haslo-2026" })).status).toBe(200);
    });

    it("is stored as a hash that is useless to anyone who reads the database", async () => {
      const cookie = home.cookies.get("browser") ?? "";
      const rows = await way.query("select * from known_browsers");
      expect(rows).toHaveLength(1);
      expect(JSON.stringify(rows)).not.toContain(cookie);
    });
  });
});
