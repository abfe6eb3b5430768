import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, wrongCode, errorCodeOf } from "../../../contract/browser";
import { ANNA, PIOTR } from "../../../demo-customers";
import { onAnyDatabase } from "../../../database";
import { addApp, bodyOf } from "../../../factor-steps";
import { fifty, NOON, openTestBackend, type TestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const NEW_PASSWORD = "Zupełnie-Nowe-1";

/** Runs before a new password is hashed; hashing waits for it. */
let beforeHashing: (() => Promise<void>) | undefined;

vi.mock(import("@node-rs/argon2"), async (original) => {
  const real = await original();
  return {
    ...real,
    hash: async (...of) => {
      await beforeHashing?.();
      return real.hash(...of);
    },
  };
});

/** Makes a function that waits until it has been called this many times; later calls don't wait. */
function meeting(size: number): () => Promise<void> {
  let missing = size;
  let open = () => {};
  const isComplete = new Promise<void>((resolve) => (open = resolve));
  return () => {
    missing -= 1;
    if (missing === 0) open();
    return isComplete;
  };
}

const resetPath = (step: string, { username } = ANNA) => `/home/api/user/${username}/password-reset/${step}`;

onAnyDatabase((kind) => {
  describe("a password reset", () => {
    let way: TestBackend;
    let browser: Browser;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      browser = new Browser(way);
    });
    afterEach(async () => {
      beforeHashing = undefined;
      await way.close();
    });

    async function askForReset(who = browser): Promise<string> {
      await who.post(resetPath("init"));
      return latestCode(way, ANNA.phone);
    }
    const set = (newPassword: string, authorizationCode: string, who = browser) =>
      who.post(resetPath("confirm"), { newPassword, authorizationCode });
    const isActive = async (who: Browser) => (await who.post("/home/api/user/init")).status === 200;

    it("gives a sign-in pass for two minutes, for the same browser and the same account", async () => {
      await set(NEW_PASSWORD, await askForReset());
      const renewed = { ...ANNA, password: NEW_PASSWORD };
      const other = new Browser(way);
      await other.login(renewed);
      expect(await isActive(other)).toBe(false);
      const piotrs = browser.twin();
      await piotrs.login(PIOTR);
      expect(await isActive(piotrs)).toBe(false);

      way.advance(2 * MINUTE - 1);
      await browser.login(renewed);
      expect(await isActive(browser)).toBe(true);
    });

    it("asks for a sign-in code again after two minutes", async () => {
      await set(NEW_PASSWORD, await askForReset());
      way.advance(2 * MINUTE);
      await browser.login({ ...ANNA, password: NEW_PASSWORD });
      expect(await isActive(browser)).toBe(false);
    });

    it("followed by a doubled sign-in makes one session", async () => {
      await set(NEW_PASSWORD, await askForReset());
      const twins = [browser, browser.twin(), browser.twin()];
      await Promise.all(twins.map((twin) => twin.login({ ...ANNA, password: NEW_PASSWORD })));
      expect(new Set(twins.map((twin) => twin.cookies.get("session"))).size).toBe(1);
      expect(await isActive(browser)).toBe(true);
      expect(await way.query("select * from sessions")).toHaveLength(1);

      const late = new Browser(way);
      late.cookies.set("browser", browser.cookies.get("browser") ?? "");
      way.advance(10 * SECOND);
      await late.login({ ...ANNA, password: NEW_PASSWORD });
      expect(await isActive(late)).toBe(false);
    });

    it("[S24] with fifty different passwords at once sets one of them", async () => {
      const code = await askForReset();
      const answers = await fifty((nth) => set(`Nowe-Haslo-${nth}-!`, code, browser.twin()));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      for (const answer of answers) expect([200, 400]).toContain(answer.status);
      for (const answer of answers) expect([undefined, "010", "016"]).toContain(errorCodeOf(answer));
      expect(await way.query("select * from audit_events where event = 'password-reset'")).toHaveLength(1);
      const chosen = answers.findIndex(({ status }) => status === 200);
      expect((await new Browser(way).login({ ...ANNA, password: `Nowe-Haslo-${chosen}-!` })).status).toBe(
        200,
      );
    });

    it("[S24] with the same password fifty times at once is one change, answered alike", async () => {
      const code = await askForReset();
      const answers = await fifty(() => set(NEW_PASSWORD, code, browser.twin()));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      expect(await way.query("select * from audit_events where event = 'password-reset'")).toHaveLength(1);
      expect(await way.query("select * from password_history")).toHaveLength(1);
    });

    it("[S21, S23] refused at the fifth try for another reason leaves a right code good until its end", async () => {
      const code = await askForReset();
      for (let nth = 1; nth <= 4; nth += 1)
        expect(errorCodeOf(await set(NEW_PASSWORD, wrongCode(code, nth)))).toBe("007");
      expect(errorCodeOf(await set(ANNA.password, code))).toBe("013");
      way.advance(10 * MINUTE - 1);
      expect(errorCodeOf(await set(ANNA.password, code))).toBe("013");
      way.advance(1);
      expect(errorCodeOf(await set(NEW_PASSWORD, code))).toBe("010");
    });

    it("[S161] in a session takes no code by SMS that was switched off while the password was hashed", async () => {
      await browser.signIn(ANNA);
      await addApp(way, browser, ANNA, NOON);
      way.advance(MINUTE);
      bodyOf(await browser.post(resetPath("init"), { method: "sms" }));
      beforeHashing = () => way.change("update factor_settings set sms = 'off'");
      const refused = await set(NEW_PASSWORD, await latestCode(way, ANNA.phone));
      expect([refused.status, refused.body]).toEqual([422, { errorCode: "invalid", fields: ["method"] }]);
      expect((await new Browser(way).login(ANNA)).status).toBe(200);
    });

    it("[S81] compares at most five of fifty simultaneous guesses at old passwords", async () => {
      const code = await askForReset();
      // Spaces in a code are ignored, so these are fifty different confirms with the right code.
      const answers = await fifty((nth) => set(ANNA.password, code + " ".repeat(nth), browser.twin()));
      expect(answers.filter((answer) => errorCodeOf(answer) === "013").length).toBeLessThanOrEqual(4);
      expect(answers.filter((answer) => errorCodeOf(answer) === "016").length).toBeGreaterThanOrEqual(46);
      expect(errorCodeOf(await set(NEW_PASSWORD, code))).toBe("016");
    });

    it("[S81] from two browsers at once to one password is one change; the other, tried again, is 013", async () => {
      const other = new Browser(way);
      const codes = [await askForReset(), await askForReset(other)];
      const change = () =>
        Promise.all([browser, other].map((each, nth) => set(NEW_PASSWORD, codes[nth] ?? "", each)));
      // Both have read the old password before either sets the new one.
      beforeHashing = meeting(2);
      expect((await change()).map(({ status }) => status).sort()).toEqual([200, 503]);
      const again = await change();
      expect(again.map(({ status }) => status).sort()).toEqual([200, 400]);
      expect(again.map(errorCodeOf)).toContain("013");
      expect(await way.query("select * from audit_events where event = 'password-reset'")).toHaveLength(1);
    });

    it("[S65] is 503 when the backend is overloaded, and its code stays valid", async () => {
      const limits = { ...defaultLimits("demo"), HASH_PARALLEL: 1, HASH_PLACES: 4, HASH_HOLD_MS: 0 };
      const small = await openTestBackend({ limits });
      const visitor = new Browser(small);
      await visitor.post(resetPath("init"));
      const payload = { newPassword: NEW_PASSWORD, authorizationCode: await latestCode(small, ANNA.phone) };
      let [isCrowded, names, refusals] = [true, 0, 0];
      const signInOn = async () => {
        while (isCrowded) {
          const { status } = await new Browser(small).login({
            username: `nikt.${(names += 1)}`,
            password: "x",
          });
          if (status === 503) refusals += 1;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const crowd = Array.from({ length: 8 }, signInOn);
      await vi.waitUntil(() => refusals > 8);
      const first = await visitor.post(resetPath("confirm"), payload);
      isCrowded = false;
      expect(first.status).toBe(503);
      await Promise.all(crowd);
      expect((await visitor.post(resetPath("confirm"), payload)).status).toBe(200);
      await small.close();
    });

    it("leaves an account locked that a person has locked", async () => {
      await way.change("update accounts set state = 'locked' where username = ?", ANNA.username);
      await set(NEW_PASSWORD, await askForReset());
      expect((await browser.login({ ...ANNA, password: NEW_PASSWORD })).body).toEqual({ errorCode: "106" });
    });

    it.each([
      ["what looks like markup", "<b>Aa1!aaaaaaaa"],
      ["outer spaces", "  Aa1!aaaaaaaa  "],
      ["fifty characters of two bytes each", `Ż1!${"ż".repeat(47)}`],
      ["characters of four bytes", `A1!${"💥".repeat(47)}`],
      ["quotes and percent signs", `A1!'";--%00%s\${x}`],
    ])("[S79] takes %s as typed, and nothing similar", async (_, password) => {
      expect((await set(password, await askForReset())).status).toBe(200);
      expect((await browser.login({ ...ANNA, password: `${password} ` })).status).toBe(400);
      expect((await browser.login({ ...ANNA, password })).status).toBe(200);
    });

    it("[S79] treats a letter with a separate accent as the same letter", async () => {
      const composed = "Zażółć-Gęślą-1";
      await set(composed.normalize("NFD"), await askForReset());
      expect((await browser.login({ ...ANNA, password: composed })).status).toBe(200);
    });
  });
});
