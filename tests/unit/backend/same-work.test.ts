import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, type Answer } from "../../contract/browser";
import { onEachDatabase } from "../../database";
import { ANNA, KRYSTYNA } from "../../demo-customers";
import { recordStatements } from "./recorded-statements";
import { openTestBackend, type TestBackend } from "./test-backend";

const NOBODY = { username: "nikt.taki", policyNo: "POL-999999", pid: "44051401458" };

const authorizationCode = "000000";
const newPassword = "Nowe-Haslo-2026";

interface Data {
  readonly username: string;
  readonly policyNo: string;
  readonly pid: string;
}

/** What a signed-out visitor can send. Each is answered alike for known and unknown data. */
const STEPS: Readonly<Record<string, (browser: Browser, data: Data) => Promise<Answer>>> = {
  "a sign-in with a wrong password": (browser, { username }) =>
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
  "an unusable code of a reset": (browser, { username }) =>
    browser.post(`/home/api/user/${username}/password-reset/confirm`, {
      newPassword,
      authorizationCode: "x",
    }),
};

onEachDatabase((kind) => {
  describe("[S108] known and unknown data", () => {
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

    it("run the same statements too where a number has had its share or the budget is used up", async () => {
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
      // Anna's number is full, Piotr gets the last one of the budget, Maria gets none, nobody has a number.
      for (const run of runs) expect(run).toEqual(runs[0]);
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

/** A confirm needs its code, and the code's row of nobody is made by the same step. */
function stepsBefore(step: string): readonly string[] {
  if (!step.includes("code of")) return [];
  return [step.replace(/.*code of /, "")];
}
