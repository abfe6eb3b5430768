import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { built } from "../../../built";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, JAN } from "../../../demo-customers";
import { ACT, runCommand } from "../../../operator-command";
import { accountIdOf } from "../account/help-desk";
import { openTestBackend, type TestBackend } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";

const JSONL = ["--format", "jsonl"];

onAnyDatabase((kind) => {
  describe("portal audit, next to a running portal", () => {
    let way: TestBackend;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      await new Browser(way).signIn(ANNA);
      await new Browser(way).login(JAN);
      await new Browser(way).login({ username: "nikt.nikt", password: "Nie-To-Haslo-1" });
    });
    afterEach(() => way.close());

    const run = (...words: string[]) => runCommand(variablesOf(way.place), ["audit", ...words]);
    /** The printed JSON lines. */
    const printed = async (...words: string[]) => {
      const { code, stdout, stderr } = await run(...ACT, ...JSONL, ...words);
      expect([code, stderr]).toEqual([0, ""]);
      const lines = stdout.split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    };
    const names = async (...words: string[]) => (await printed(...words)).map(({ event }) => event);
    /** The events of Anna's sign-in. */
    const OF_ANNA = ["password-right", "code-sent", "code-right", "signed-in"];

    it("shows what happened, oldest first, to one customer or to everyone, and that it was read", async () => {
      const anna = await accountIdOf(way);
      expect(await names("--account", anna)).toEqual([...OF_ANNA, "audit-shown"]);
      expect(await names("--username", ANNA.username)).toEqual([...OF_ANNA, "audit-shown", "audit-shown"]);
      expect(await names("--policy-no", JAN.policyNo)).toEqual(["password-right", "audit-shown"]);
      const all = await printed();
      expect(all.map(({ event }) => event)).toContain("password-wrong");
      expect(all.at(-1)).toMatchObject({ event: "audit-shown", operator: "ewa.z", reason: "call 1234" });
      expect(all.find(({ event }) => event === "signed-in")).toMatchObject({ account: anna, erased: false });
    });

    it("filters by event, request and time, or shows only the last ones", async () => {
      const [first] = await printed("--event", "signed-in", "password-wrong");
      expect(await names("--event", "signed-in", "password-wrong")).toEqual(["signed-in", "password-wrong"]);
      expect(await names("--request-id", String(first?.["request"]))).toContain("signed-in");
      expect(await names("--request-id", "no-such-request")).toEqual([]);
      expect(await names("--until", "2026-11-20")).toEqual([]);
      expect(await names("--since", "2026-11-20", "--until", "2026-11-20T12:00Z")).toEqual([]);
      expect(await names("--since", "2026-11-20T12:00Z", "--event", "signed-in")).toEqual(["signed-in"]);
      expect(await names("--last", "1")).toEqual(["audit-shown"]);
    });

    it("[F41] prints lines for people, and CSV that no spreadsheet takes for formulas or for another alphabet", async () => {
      await way.change("update audit_events set device_name = '=1+1' where event = 'signed-in'");
      const { stdout } = await run(...ACT, "--event", "signed-in");
      expect(stdout).toMatch(
        /^2026-11-20T12:00:00\.000Z {2}signed-in +account=[\w-]{36} {2}subject=[\w-]{43} {2}device="=1\+1" /,
      );
      const csv = (await run(...ACT, "--event", "signed-in", "--format", "csv")).stdout.split("\n");
      expect(csv[0]).toMatch(/^\uFEFFtime,event,account,subject,purpose,device,address,request,/);
      expect(csv[1]).toContain(",'=1+1,");
    });

    it("[S121] escapes in JSON what could move a terminal's cursor", async () => {
      const name = "Fire\u001B[2Jfox\u202E\u009B\u{E0041}";
      await way.change("update audit_events set device_name = ? where event = 'signed-in'", name);
      const { stdout } = await run(...ACT, ...JSONL, "--event", "signed-in");
      expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      expect(JSON.parse(stdout)).toMatchObject({ device: name });
      const csv = (await run(...ACT, "--event", "signed-in", "--format", "csv")).stdout.replace(
        /^\uFEFF/,
        "",
      );
      expect(csv).toContain(",Fire?[2Jfox???,");
      expect(csv).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
    });

    it("--follow goes on with what happens until it is interrupted", async () => {
      const words = ["audit", ...ACT, ...JSONL, "--follow", "--event", "password-wrong"];
      const following = spawn(process.execPath, [built("portal"), ...words], {
        env: { PATH: process.env["PATH"], NODE_ENV: "production", ...variablesOf(way.place) },
        stdio: ["ignore", "pipe", "inherit"],
      });
      const lines = createInterface(following.stdout)[Symbol.asyncIterator]();
      const next = async () => JSON.parse(String((await lines.next()).value)) as unknown;
      expect(await next()).toMatchObject({ account: null });
      await new Browser(way).login({ ...ANNA, password: "Nie-To-Haslo-1" });
      expect(await next()).toMatchObject({ account: await accountIdOf(way) });
      following.kill();
    });

    it("[S95] verifies: exit 0 and the newest seal, or exit 1 and what is wrong", async () => {
      expect((await runCommand(variablesOf(way.place), ["seal-audit"])).stdout).toMatch(/^sealed: \d+\n$/);
      const fine = await run("--verify");
      expect([fine.code, fine.stdout]).toEqual([
        0,
        expect.stringMatching(
          /^\d+ events and 1 seal, the newest is 1 [\w-]{43}; 0 not sealed yet\nNothing was changed\n$/,
        ),
      ]);
      await way.change("delete from audit_events where event = 'signed-in'");
      const wrong = await run("--verify", "--json");
      expect(wrong.code).toBe(1);
      expect(JSON.parse(wrong.stdout)).toMatchObject({ findings: [expect.stringContaining("found")] });
    });
  });
});
