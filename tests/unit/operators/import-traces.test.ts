import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser } from "../../contract/browser";
import { register } from "../../contract/register";
import { onAnyDatabase } from "../../database";
import { runCommand } from "../../operator-command";
import { ZOFIA } from "./importing";
import { NOON, openTestBackend, type TestBackend } from "../backend/test-backend";
import { variablesOf } from "../backend/test-place";

const NEW = "+48500900007";
const THIRD = "+48500900008";
const HOUR = 3_600_000;
const NEVER = { ...ZOFIA, phone: "no number" };

onAnyDatabase((kind) => {
  describe("what an import leaves behind, while a portal serves", () => {
    let way: TestBackend;
    let file: string;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      // The command's clock is the machine's.
      way.advance(Date.now() - NOON);
      file = join(way.dataDir, "lines.jsonl");
    });
    afterEach(() => way.close());

    const run = (lines: readonly object[], ...options: readonly string[]) => {
      writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return runCommand({ ...variablesOf(way.place), SMS_NOTICES: "on" }, ["import", file, ...options]);
    };
    const imported = async (phone: string, ...options: readonly string[]) =>
      expect(await run([{ ...ZOFIA, phone }], ...options)).toMatchObject({ code: 0, stderr: "" });
    const events = (name: string) =>
      way.query(
        "select account_id, operator, reason, request_id from audit_events where event = ? order by id",
        name,
      );
    const registered = () => register(way, { ...ZOFIA, policyNo: "POL-900001" });
    /** The last digits of the number that a code goes to now. */
    const sentTo = async (browser: Browser, username: string) => {
      const answer = await browser.post(`/home/api/user/${username}/login-change/init`);
      return (answer.body as { sentTo?: string }).sentTo?.slice(-3);
    };
    const notices = async () =>
      (await way.outbox()).filter(({ text }) => text.includes("nowy numer telefonu")).map(({ to }) => to);

    it("one event has the file's hash and the counts, and one per customer names the fields that changed", async () => {
      await imported(ZOFIA.phone, "--operator", "ewa.z");
      const hash = createHash("sha256").update(readFileSync(file)).digest("hex");
      const [event] = await events("policyholders-imported");
      expect(event).toMatchObject({ account_id: null, operator: "ewa.z" });
      expect(event?.["reason"]).toMatch(/^Policyholders: 1 new, 0 changed, .* refused: 0; sha256 /);
      expect(event?.["reason"]).toContain(hash);
      expect(await events("details-changed")).toEqual([]);

      expect((await run([{ ...ZOFIA, name: "Zofia Nowak", email: "zofia@poczta.example" }])).code).toBe(0);
      const [, second] = await events("policyholders-imported");
      expect(second?.["operator"]).not.toBe("ewa.z");
      expect(await events("details-changed")).toMatchObject([
        { reason: "name, email", request_id: second?.["request_id"], operator: second?.["operator"] },
      ]);
    });

    it("[S136] codes and notices go to the old number for 24 hours, and it is told", async () => {
      await imported(ZOFIA.phone);
      const { browser, username } = await registered();
      await imported(NEW);
      expect(await notices()).toEqual([ZOFIA.phone]);
      expect(await sentTo(browser, username)).toBe("001");
      expect((await browser.get("/cp/api/profile")).body).toMatchObject({ phone: "••• ••• 001" });
      // If the same number is imported again, the 24 hours go on, and no second notice is sent.
      way.advance(23 * HOUR);
      await imported(NEW);
      expect(await notices()).toEqual([ZOFIA.phone]);
      way.advance(2 * HOUR);
      const later = new Browser(way);
      await later.login({ username, password: "Zupełnie-Nowe-1" });
      await later.askForCode();
      expect((await way.outbox())[0]?.to).toBe(NEW);
      expect(await events("details-changed")).toMatchObject([{ reason: "phone" }]);
    });

    it("[S136] a third number restarts the 24 hours, and the old number ends them", async () => {
      await imported(ZOFIA.phone);
      const { browser, username } = await registered();
      await imported(NEW);
      const [first] = await way.query("select new_phone_from as at from customers where new_phone_from > 0");
      await imported(THIRD);
      const [second] = await way.query("select new_phone_from as at from customers where new_phone_from > 0");
      expect(Number(second?.["at"])).toBeGreaterThan(Number(first?.["at"]));
      expect(await notices()).toEqual([ZOFIA.phone, ZOFIA.phone]);
      await imported(ZOFIA.phone);
      expect(await way.query("select id from customers where new_phone_from > 0")).toEqual([]);
      expect(await sentTo(browser, username)).toBe("001");
      expect(await events("details-changed")).toHaveLength(3);
    });

    it("a verified number, and one of a customer without an account, are used at once", async () => {
      await imported(ZOFIA.phone);
      await imported(NEW);
      const { browser, username } = await register(way, { ...ZOFIA, phone: NEW, policyNo: "POL-900001" });
      await imported(THIRD);
      expect(await sentTo(browser, username)).toBe("007");
      await imported(THIRD, "--phone-verified");
      way.advance(2 * 60_000);
      expect(await sentTo(browser, username)).toBe("008");
      expect(await notices()).toEqual([NEW]);
    });

    it("a dry run says what would happen, and changes nothing", async () => {
      const { code, stdout } = await run([ZOFIA], "--dry-run");
      expect([code, stdout]).toEqual([
        0,
        "Policyholders: 1 new, 0 changed, 0 unchanged; documents: 0 new, 0 changed, 0 unchanged; lines refused: 0\nNothing was changed: this was a dry run\n",
      ]);
      expect(await way.query("select policy_no from policies where policy_no = 'POL-900001'")).toEqual([]);
      expect(await events("policyholders-imported")).toEqual([]);
    });

    it("with --strict, it refuses a line with a warning, and the counts name it", async () => {
      const landline = [{ ...ZOFIA, phone: "+48221234567" }];
      const { code, stdout } = await run(landline, "--dry-run", "--json");
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { warnings: { notMobile: 1, emailLeftOut: 0 } }]);
      expect(await run(landline, "--strict")).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^line 1: phone: a landline/) as string,
      });
      expect(await way.query("select policy_no from policies where policy_no = 'POL-900001'")).toEqual([]);
    });

    it("with --max-refused, it changes nothing if more lines would be refused", async () => {
      const refused = await run([ZOFIA, NEVER], "--max-refused", "49%");
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /^line 2: [^\n]+\nportal: more than 49% of the lines would be refused: nothing was changed\n$/,
        ) as string,
      });
      expect(await way.query("select policy_no from policies where policy_no = 'POL-900001'")).toEqual([]);
      const { code, stdout } = await run([ZOFIA, NEVER], "--max-refused", "50");
      expect([code, stdout]).toEqual([1, expect.stringContaining("1 new")]);
    });

    it("names a file that isn't there by its whole path, since commands run in another folder", async () => {
      expect(await runCommand(variablesOf(way.place), ["import", "no/such.jsonl"])).toEqual({
        code: 2,
        stdout: "",
        stderr: `portal: ${resolve("no/such.jsonl")} is not there\n`,
      });
    });

    it("a run leaves an event when it begins, and doctor tells of one that never ended", async () => {
      const unfinished = async () =>
        /^(\w+) +import that began: (.*)$/m
          .exec((await runCommand(variablesOf(way.place), ["doctor"])).stdout)
          ?.slice(1);
      expect(await unfinished()).toEqual(["ok", "none is unfinished"]);
      await run([ZOFIA]);
      expect(await events("import-begun")).toHaveLength(1);
      expect(await unfinished()).toEqual(["ok", "none is unfinished"]);
      await run([ZOFIA], "--dry-run");
      expect(await events("import-begun")).toHaveLength(1);
      // As a kill leaves it.
      await way.change("delete from audit_events where event = 'policyholders-imported'");
      expect(await unfinished()).toEqual([
        "warning",
        "it began 0 minutes ago and has not ended: unless it still runs, it was killed or failed; run it again",
      ]);
    });
  });
});
