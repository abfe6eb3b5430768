import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, type Answer } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, JAN, KRYSTYNA, PIOTR } from "../../../demo-customers";
import { NOTICES } from "../notices/notice-steps";
import { recordStatements } from "../store/recorded-statements";
import { openTestBackend, type TestBackend } from "../test-backend";

const NOBODY = { username: "nikt.taki", policyNo: "POL-999999", pid: "44051401458" };

const authorizationCode = "000000";
const newPassword = "Nowe-Haslo-2026";

interface Data {
  readonly username: string;
  readonly policyNo: string;
  readonly pid: string;
}

/** The steps of signed-out visitors. Each gets the same answer for known and unknown details. */
const STEPS: Readonly<Record<string, (browser: Browser, data: Data) => Promise<Answer>>> = {
  "a sign-in with a wrong password": (browser, { username }) =>
    browser.login({ username, password: "Niedobre-Haslo-2026" }),
  "a fifth wrong password, which locks": (browser, { username }) =>
    browser.login({ username, password: "Niedobre-Haslo-2026" }),
  "a sixth wrong password, while tries are blocked": (browser, { username }) =>
    browser.login({ username, password: "Niedobre-Haslo-2026" }),
  "a reset": (browser, { username }) => browser.post(`/home/api/user/${username}/password-reset/init`),
  "a reminder": (browser, { policyNo }) => browser.post("/home/api/user/login-remind/init", { policyNo }),
  "a registration": (browser, { policyNo, pid }) =>
    browser.post("/home/api/user/register/init", { policyNo, pid }),
  "a wrong code of a reset": (browser, { username }) =>
    browser.post(`/home/api/user/${username}/password-reset/confirm`, { newPassword, authorizationCode }),
  "a wrong code of a reminder": (browser, { policyNo }) =>
    browser.post("/home/api/user/login-remind/confirm", { policyNo, authorizationCode }),
  "a wrong code of a registration": (browser, { policyNo, pid }) =>
    browser.post("/home/api/user/register/confirm", {
      policyNo,
      pid,
      password: newPassword,
      authorizationCode,
    }),
  "a code of a reset that nobody asked for": (browser, { username }) =>
    browser.post(`/home/api/user/${username}/password-reset/confirm`, { newPassword, authorizationCode }),
  "a sixth wrong code of a reset": (browser, { username }) =>
    browser.post(`/home/api/user/${username}/password-reset/confirm`, { newPassword, authorizationCode }),
};

onAnyDatabase((kind) => {
  describe("[S108] known and unknown details", () => {
    let way: TestBackend;
    const known: Data = ANNA;
    beforeEach(async () => {
      way = await openTestBackend({ kind, limits: defaultLimits("demo") });
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      await way.close();
    });

    it.each(Object.keys(STEPS))("run the same statements for %s, and are answered alike", async (step) => {
      const data: Data = step.includes("registration")
        ? { ...known, policyNo: KRYSTYNA.policyNo, pid: KRYSTYNA.pid }
        : known;
      const seen = [await run(data), await run(NOBODY)];
      expect(seen[0]?.statements.length).toBeGreaterThan(2);
      expect(seen[1]).toEqual(seen[0]);

      async function run(of: Data) {
        const browser = new Browser(way);
        await browser.get("/home/api/user/info");
        for (const name of stepsBefore(step)) await STEPS[name]?.(browser, of);
        const statements = recordStatements();
        const answer = await STEPS[step]?.(browser, of);
        return { statements: statements(), status: answer?.status, body: answer?.body };
      }
    });

    it("run the same statements even where a number has had its share or the budget is used up", async () => {
      await way.close();
      const limits = { ...defaultLimits("demo"), SMS_OPEN_PER_DAY: 1, SMS_OPEN_TOTAL_PER_HOUR: 2 };
      way = await openTestBackend({ kind, limits });
      const reset = (username: string) => STEPS["a reset"]?.(new Browser(way), { ...known, username });
      await reset(ANNA.username);
      const runs = [];
      for (const policyNo of [ANNA.policyNo, "POL-100002", "POL-100003", NOBODY.policyNo]) {
        const browser = new Browser(way);
        await browser.get("/home/api/user/info");
        const statements = recordStatements();
        await STEPS["a reminder"]?.(browser, { ...known, policyNo });
        runs.push(statements());
      }
      // Anna's cap is used up, Piotr gets the budget's last message, Maria gets none, the unknown one has no number.
      for (const run of runs) expect(run).toEqual(runs[0]);
    });

    /** Locks a username, and returns the statements of the wrong password that does it. */
    async function lock(username: string): Promise<readonly string[]> {
      const step = "a fifth wrong password, which locks";
      const browser = new Browser(way);
      await browser.get("/home/api/user/info");
      for (const name of stepsBefore(step)) await STEPS[name]?.(browser, { ...known, username });
      const statements = recordStatements();
      await STEPS[step]?.(browser, { ...known, username });
      return statements();
    }

    it("[S96] run the same statements for a lock too, whether or not a notice of it is sent", async () => {
      await way.close();
      const limits = {
        ...defaultLimits("demo"),
        SMS_LOCK_NOTICES_PER_DAY: 1,
        SMS_LOCK_NOTICES_TOTAL_PER_HOUR: 2,
      };
      way = await openTestBackend({ kind, limits, noticeTexts: NOTICES });
      const runs = [await lock(ANNA.username), await lock(NOBODY.username)];
      way.advance(900_000);
      // Anna's number has had its notice today; then Piotr gets the last notice of the hour, and Jan none.
      for (const { username } of [ANNA, PIOTR, JAN]) runs.push(await lock(username));
      expect((await way.outbox()).map(({ to }) => to)).toEqual([PIOTR.phone, ANNA.phone]);
      expect(runs[0]?.some((text) => text.includes("outbox"))).toBe(true);
      for (const run of runs) expect(run).toEqual(runs[0]);
      const kept = await way.query("select length(text_sealed) as letters from outbox");
      expect(kept).toHaveLength(5);
      expect(new Set(kept.map(({ letters }) => letters)).size).toBe(1);
    });

    it("[S96] run nothing for a notice while notices are off", async () => {
      const without = await lock(ANNA.username);
      expect(await lock(NOBODY.username)).toEqual(without);
      await way.close();
      way = await openTestBackend({ kind, noticeTexts: NOTICES });
      const added = [...(await lock(ANNA.username))];
      for (const text of without) {
        const at = added.indexOf(text);
        expect(at, text).not.toBe(-1);
        added.splice(at, 1);
      }
      const tables = added.map((text) => /(?:from|into) "(\w+)"/.exec(text)?.[1]);
      expect(tables).toEqual(["customers", "windows", "windows", "outbox", "messages", "windows"]);
    });

    it("leave as many rows behind, the message and the audit included", async () => {
      const count = async (table: string) =>
        Number((await way.query(`select count(*) as rows from ${table}`))[0]?.["rows"]);
      for (const step of ["a reset", "a reminder"]) {
        const grown: number[][] = [];
        for (const of of [known, NOBODY]) {
          const tables = ["codes", "outbox", "audit_events"];
          const before = await Promise.all(tables.map(count));
          await STEPS[step]?.(new Browser(way), of);
          const after = await Promise.all(tables.map(count));
          grown.push(after.map((rows, index) => rows - (before[index] ?? 0)));
        }
        expect(grown).toEqual([
          [1, 1, 1],
          [1, 1, 1],
        ]);
      }
      // The outbox hides messages without a recipient.
      expect((await way.outbox()).map(({ to }) => to)).toEqual([ANNA.phone, ANNA.phone]);
    });
  });
});

/** Four tries come before the fifth, and a code before its confirm: unknown details get a row of a code, too. */
function stepsBefore(step: string): readonly string[] {
  const wrong = "a sign-in with a wrong password";
  const wrongCode = "a wrong code of a reset";
  if (step.startsWith("a sixth wrong code"))
    return ["a reset", ...Array.from({ length: 5 }, () => wrongCode)];
  if (step.startsWith("a fifth")) return Array.from({ length: 4 }, () => wrong);
  if (step.startsWith("a sixth")) return Array.from({ length: 5 }, () => wrong);
  if (step.includes("nobody asked for") || !step.includes("code of")) return [];
  return [step.replace(/.*code of /, "")];
}
