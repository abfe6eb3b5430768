import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { archiveMonths } from "~/backend/audit/archive-months.server";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, KRYSTYNA, PIOTR } from "../../../demo-customers";
import { addApp, appCode, bodyOf, confirmBy, withPassword } from "../../../factor-steps";
import { runCommand } from "../../../operator-command";
import { setPassword, signIn } from "../../backend/notices/notice-steps";
import { trustedBrowser } from "../../backend/sign-in/trusted-browser";
import { NOON, openTestBackend, type TestBackend } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";
import { openSealedAudit, type SealedAudit } from "./sealed-audit";

const at = (date: number, hour = 12) => Date.UTC(2024, 2, date, hour);
const MARCH = ["--since", "2024-03-01", "--until", "2024-04-01"];

const run = (way: TestBackend, period: string, ...words: string[]) =>
  runCommand(variablesOf(way.place), ["audit", "--count", period, ...words]);
const linesOf = async (way: TestBackend, period: string, ...words: string[]) => {
  const { code, stdout, stderr } = await run(way, period, "--format", "csv", ...words);
  expect([code, stderr]).toEqual([0, ""]);
  return stdout.split("\n").slice(1, -1);
};

/** An audit of March 2024: the fourth is a Monday. */
async function openMarch(kind: "sqlite" | "postgres"): Promise<SealedAudit> {
  const audit = await openSealedAudit(kind);
  await audit.way.change("delete from audit_events");
  await audit.write(1, { at: at(0, 23), reason: "sms" });
  await audit.write(1, { at: at(3, 23), reason: "sms" });
  await audit.write(2, { at: at(4, 0), reason: "passkey" });
  await audit.write(1, { at: at(10, 23), reason: "passkey", accountId: "jan" });
  const customer = {
    accountId: undefined,
    event: "code-not-sent",
    reason: "the number gets no SMS",
  } as const;
  await audit.write(2, { at: at(12), ...customer, subject: randomUUID() });
  await audit.write(1, { at: at(12), ...customer, subject: "register|1.abc" });
  await audit.write(1, { at: at(31, 23), event: "message-refused", purpose: "login" });
  await audit.write(1, { at: at(32, 0), reason: "sms" });
  await audit.seal();
  return audit;
}

const WEEKS = [
  "2024-02-26,signed-in,sms,,false,1,1",
  "2024-03-04,signed-in,passkey,,false,3,2",
  "2024-03-11,code-not-sent,the number gets no SMS,,false,3,1",
  "2024-03-25,message-refused,,login,false,1,1",
];

onAnyDatabase((kind) => {
  describe("portal audit --count", () => {
    it("counts kinds of events and the people by weeks, the same from the database and from archives", async () => {
      const { way, store, keyring, folder, ...audit } = await openMarch(kind);
      expect(await linesOf(way, "week", ...MARCH)).toEqual(WEEKS);
      const [row] = await way.query("select * from audit_events where happened_at = ?", at(4, 0));
      await archiveMonths(store, keyring, { folder, keepMonths: 1, now: NOON });
      expect((await run(way, "week", ...MARCH)).stderr).toContain("add --archives");
      expect(await linesOf(way, "week", "--archives", ...MARCH)).toEqual(WEEKS);

      // An interrupted archiving leaves a copy behind, and an event may come too late for its month's file.
      const columns = Object.keys(row ?? {});
      await way.change(
        `insert into audit_events (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
        ...Object.values(row ?? {}),
      );
      await audit.write(1, { at: at(26), event: "message-refused", purpose: "login" });
      expect(await linesOf(way, "week", "--archives", ...MARCH)).toEqual([
        ...WEEKS.slice(0, 3),
        "2024-03-25,message-refused,,login,false,2,1",
      ]);
    });

    it("counts by days or in all, and only some events, as CSV or JSON lines", async () => {
      const { way } = await openMarch(kind);
      expect(await linesOf(way, "day", "--event", "signed-in", ...MARCH)).toEqual([
        "2024-03-03,signed-in,sms,,false,1,1",
        "2024-03-04,signed-in,passkey,,false,2,1",
        "2024-03-10,signed-in,passkey,,false,1,1",
      ]);
      const words = ["--event", "signed-in", "--until", "2024-03-05", "--format", "jsonl"];
      const { stdout } = await run(way, "all", ...words);
      const facts = { from: null, event: "signed-in", purpose: null, byStaff: false };
      expect(
        stdout
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line) as unknown),
      ).toEqual([
        { ...facts, reason: "passkey", events: 2, people: 1 },
        { ...facts, reason: "sms", events: 2, people: 1 },
      ]);
      expect((await run(way, "all")).stdout).toMatch(
        /^\uFEFFfrom,event,reason,purpose,byStaff,events,people\n/,
      );
    });

    it("counts acts of staff without the reason that they typed", async () => {
      const { way } = await openMarch(kind);
      await way.change(
        "insert into audit_events (id, happened_at, event, account_id, address, request_id, device_name, operator, reason) values ('x', ?, 'account-shown', 'jan', '', '', '', 'ewa.z', 'call 1234')",
        at(5),
      );
      expect(await linesOf(way, "all", "--event", "account-shown")).toEqual([",account-shown,,,true,1,1"]);
    });
  });

  it("[S92] the audit says how each session began", async () => {
    const way = await openTestBackend({ kind });
    const trusted = await trustedBrowser(way);
    bodyOf(await trusted.login(ANNA));
    const { policyNo, pid, phone } = KRYSTYNA;
    const browser = new Browser(way);
    await browser.post("/home/api/user/register/init", { policyNo, pid });
    const authorizationCode = await latestCode(way, phone);
    const registration = { policyNo, pid, authorizationCode, password: "Nowe-Haslo-2026" };
    bodyOf(await browser.post("/home/api/user/register/confirm", registration));
    const app = await addApp(way, await signIn(way, PIOTR), PIOTR, NOON);
    bodyOf(await confirmBy(await withPassword(way, PIOTR), "app", appCode(app, NOON)));
    const reset = new Browser(way);
    await setPassword(way, reset);
    bodyOf(await reset.login({ ...ANNA, password: "Nowe-Haslo-2026" }));
    expect(await linesOf(way, "all", "--event", "signed-in")).toEqual([
      ",signed-in,after-reset,,false,1,1",
      ",signed-in,app,,false,1,1",
      ",signed-in,registration,,false,1,1",
      ",signed-in,sms,,false,2,2",
      ",signed-in,trusted-device,,false,1,1",
    ]);
    await way.close();
  });
});
