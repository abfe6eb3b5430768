import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, type Answer, errorCodeOf } from "../../../contract/browser";
import { ANNA, MARIA, type RegisteredCustomer } from "../../../demo-customers";
import { onAnyDatabase } from "../../../database";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** The answer to the wrong password that locks for the first time. */
const LOCKED = { errorCode: "106", retryAfterSeconds: 900 };

const waitOf = ({ body }: Answer) => (body as { retryAfterSeconds?: number }).retryAfterSeconds;

onAnyDatabase((kind) => {
  describe("wrong passwords", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
    });
    afterEach(() => way.close());

    const wrong = (username = ANNA.username) =>
      new Browser(way).login({ username, password: "Nie-To-Haslo-1" });
    const right = (customer: RegisteredCustomer = ANNA) => new Browser(way).login(customer);
    async function lock(username = ANNA.username): Promise<void> {
      for (let nth = 0; nth < 4; nth += 1) expect(errorCodeOf(await wrong(username))).toBe("101");
      expect(errorCodeOf(await wrong(username))).toBe("106");
    }

    it("[S10] are evaluated at most five times out of fifty at once, even with the right one among them", async () => {
      const answers = await fifty((nth) => (nth === 23 ? right() : wrong()));
      const evaluated = answers.filter((answer) => answer.status === 200 || errorCodeOf(answer) === "101");
      expect(evaluated.length).toBeLessThanOrEqual(5);
      expect(answers.filter((answer) => errorCodeOf(answer) === "106").length).toBeGreaterThanOrEqual(45);
    });

    it("[S10] fifty right passwords at once leave nobody locked out", async () => {
      const answers = await fifty(() => right());
      expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4);
      expect((await right()).status).toBe(200);
    });

    it("[S12] lock for 15 minutes, then twice as long each time, at most 2 hours", async () => {
      for (const minutes of [15, 30, 60, 120, 120]) {
        await lock();
        expect(waitOf(await right())).toBe(minutes * 60);
        way.advance(minutes * MINUTE - 1);
        expect(errorCodeOf(await right())).toBe("106");
        way.advance(1);
      }
      expect((await right()).status).toBe(200);
    });

    it("[S12] tries made during a lock do not extend it", async () => {
      await lock();
      way.advance(10 * MINUTE);
      await fifty(() => wrong());
      expect(waitOf(await right())).toBe(5 * 60);
      way.advance(5 * MINUTE);
      expect((await right()).status).toBe(200);
    });

    it("[S12] a quiet day resets how long the next lock lasts", async () => {
      await lock();
      way.advance(15 * MINUTE);
      await lock();
      way.advance(24 * HOUR);
      await lock();
      expect(waitOf(await right())).toBe(15 * 60);
    });

    it("[S14] are not forgotten after a right password", async () => {
      for (let nth = 0; nth < 4; nth += 1) {
        expect(errorCodeOf(await wrong())).toBe("101");
        expect((await right()).status).toBe(200);
      }
      expect(errorCodeOf(await wrong())).toBe("106");
    });

    it("[S14] are forgotten after a complete sign-in, code included", async () => {
      for (let nth = 0; nth < 4; nth += 1) await wrong();
      await new Browser(way).signIn(ANNA);
      await lock();
    });

    it("[S13] don't lock out a trusted device, which has its own five tries", async () => {
      const device = new Browser(way);
      await device.signIn(ANNA, "Y");
      await device.delete("/home/api/session");
      // Tries from other browsers, and from this one after it has lost the device's cookie, count elsewhere.
      await lock();
      const without = device.twin();
      without.cookies.delete("trusted-device");
      for (let nth = 0; nth < 5; nth += 1) await without.login({ ...ANNA, password: "Nie-To-Haslo-1" });
      expect((await device.login(ANNA)).status).toBe(200);
      expect((await device.post("/home/api/user/init")).status).toBe(200);

      const tries = await fifty(() => device.twin().login({ ...ANNA, password: "Nie-To-Haslo-1" }));
      // The fifth says that it has locked.
      expect(tries.filter((answer) => errorCodeOf(answer) === "101")).toHaveLength(4);
      expect(errorCodeOf(await device.login(ANNA))).toBe("106");
    });

    it("[S9] a lock set between the password and the code stops the code too", async () => {
      const browser = new Browser(way);
      await browser.login(ANNA);
      await browser.askForCode();
      const code = await latestCode(way, ANNA.phone);
      await lock();
      expect([errorCodeOf(await browser.confirm(code)), waitOf(await browser.confirm(code))]).toEqual([
        "106",
        900,
      ]);
      expect(errorCodeOf(await browser.askForCode())).toBe("106");
      way.advance(9 * MINUTE);
      expect(errorCodeOf(await browser.confirm(code))).toBe("106");
    });

    it.each([
      ["locked", "106"],
      ["expired", "105"],
      ["disabled", "108"],
    ])(
      "[S9] an account set to %s between the password and the code stops the code too",
      async (state, errorCode) => {
        const browser = new Browser(way);
        await browser.login(ANNA);
        await browser.askForCode();
        const code = await latestCode(way, ANNA.phone);
        await way.change("update accounts set state = ? where username = ?", state, ANNA.username);
        expect((await browser.confirm(code)).body).toEqual({ errorCode });
        expect((await browser.askForCode()).body).toEqual({ errorCode });
      },
    );

    it("[S1, S124] the fourth wrong password says that one try is left, the fifth that it has locked, for anyone", async () => {
      const plain = { errorCode: "101" };
      const steps = [plain, plain, plain, { ...plain, triesLeft: 1 }, LOCKED];
      for (const username of [ANNA.username, "nikt.taki"]) {
        const seen: unknown[] = [];
        for (let nth = 0; nth < 5; nth += 1) seen.push((await wrong(username)).body);
        expect(seen).toEqual(steps);
      }
    });

    it.each(["a known browser", "a trusted device"])(
      "[S124] in %s, too, the fifth wrong password says that it has locked",
      async (where) => {
        const own = new Browser(way);
        await own.signIn(ANNA, where === "a trusted device" ? "Y" : "N");
        const mistyped = { ...ANNA, password: "Nie-To-Haslo-1" };
        for (let nth = 0; nth < 4; nth += 1) expect(errorCodeOf(await own.login(mistyped))).toBe("101");
        expect((await own.login(mistyped)).body).toEqual(LOCKED);
      },
    );

    it("[S1] a lock set by a person names no time", async () => {
      expect((await right(MARIA)).body).toEqual({ errorCode: "106" });
    });
  });

  describe("sign-ins from one address", () => {
    it("[S11] have their own limit besides the one per account: 429 with a wait", async () => {
      const way = await openTestBackend({
        kind,
        limits: { ...defaultLimits("demo"), ADDRESS_SIGN_INS_PER_10_MINUTES: 10 },
      });
      const from = (address: string, nth: number) =>
        new Browser(way, address).login({ username: `nikt.${nth}`, password: "x" });
      const answers = await fifty((nth) => from("2001:db8:1:2::" + nth.toString(16), nth));
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
      const limited = answers.find(({ status }) => status === 429);
      expect(limited?.body).toEqual({ errorCode: "rate-limited", retryAfterSeconds: 600 });
      expect(limited?.headers.get("Retry-After")).toBe("600");
      expect((await from("2001:db8:1:3::1", 1)).status).toBe(400);
      way.advance(10 * MINUTE);
      expect((await from("2001:db8:1:2::1", 1)).status).toBe(400);
      await way.close();
    });
  });
});
