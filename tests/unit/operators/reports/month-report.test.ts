import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { archiveMonths } from "~/backend/services/audit/archive-months.server";
import { isoDayInPoland } from "~/platform/time.server";
import { Browser, latestCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, KRYSTYNA, PIOTR } from "../../../demo-customers";
import { addApp, appCode, bodyOf, confirmBy, withPassword } from "../../../factor-steps";
import { runCommand } from "../../../operator-command";
import { setPassword, signIn } from "../../services/notice-steps";
import { trustedBrowser } from "../../services/trusted-browser";
import { NOON, openTestBackend } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";
import { openSealedAudit, type SealedAudit } from "../audit/sealed-audit";

const day = (month: number, date: number, hour = 12) => Date.UTC(2024, month - 1, date, hour);

/** An audit around March 2024, in which Polish clocks change. */
async function openMarch(kind: "sqlite" | "postgres"): Promise<SealedAudit> {
  const audit = await openSealedAudit(kind);
  await audit.way.change("delete from audit_events");
  // In Poland, the first is in March, the last in April.
  await audit.write(1, { at: day(2, 29, 23), reason: "sms" });
  await audit.write(1, { at: day(3, 31, 22), reason: "sms" });
  await audit.write(2, { at: day(3, 31, 21), reason: "passkey" });
  await audit.write(3, { at: day(3, 4), event: "code-not-sent", reason: "cap reached: number" });
  await audit.write(1, { at: day(3, 10, 22), event: "code-not-sent", reason: "the number gets no SMS" });
  await audit.write(1, { at: day(3, 10, 23), event: "code-not-sent" });
  await audit.write(1, { at: day(3, 12), event: "message-refused", purpose: "login" });
  await audit.write(1, { at: day(3, 12), event: "message-refused" });
  await audit.seal();
  return audit;
}

const run = async ({ way }: Pick<SealedAudit, "way">, ...words: string[]) =>
  runCommand(variablesOf(way.place), ["report", "--month", "2024-03", ...words]);
const made = async (audit: SealedAudit) =>
  JSON.parse((await run(audit, "--format", "json")).stdout) as {
    readonly weeks: readonly { firstDay: string; lastDay: string; figures: Record<string, number> }[];
    readonly total: Record<string, number>;
    readonly notKnown: readonly string[];
  };
const archive = ({ store, keyring, folder }: SealedAudit) =>
  archiveMonths(store, keyring, { folder, keepMonths: 1, now: NOON });

/** Figures above zero, by the first day of their week. */
const counted = async (audit: SealedAudit) =>
  (await made(audit)).weeks.map(({ firstDay, lastDay, figures }) => [
    `${firstDay.slice(8)}–${lastDay.slice(8)}`,
    Object.fromEntries(Object.entries(figures).filter(([, count]) => count > 0)),
  ]);
const MARCH = [
  ["01–03", { "signed in: sms": 1 }],
  ["04–10", { "codes held back by a cap": 3, "codes for a number without SMS": 1 }],
  [
    "11–17",
    { "codes not sent: reason not known": 1, "codes refused by the gateway": 1, "notices refused": 1 },
  ],
  ["18–24", {}],
  ["25–31", { "signed in: passkey": 2 }],
];

onAnyDatabase((kind) => {
  describe("portal report", () => {
    it("counts by weeks in Polish time, the same from the database and from archives", async () => {
      const audit = await openMarch(kind);
      expect(await counted(audit)).toEqual(MARCH);
      const [row] = await audit.way.query("select * from audit_events where happened_at = ?", day(3, 4));
      await archive(audit);
      expect(await counted(audit)).toEqual(MARCH);

      // An interrupted archiving leaves a copy behind.
      const columns = Object.keys(row ?? {});
      await audit.way.change(
        `insert into audit_events (${columns.join(", ")}) values (${columns.map(() => "?").join(", ")})`,
        ...Object.values(row ?? {}),
      );
      expect(await counted(audit)).toEqual(MARCH);
      // An event may come too late for its month's file.
      await audit.write(1, { at: day(3, 18), event: "account-registered" });
      expect((await made(audit)).total["registered"]).toBe(1);
    });

    it("counts codes that no gateway took in time from the messages", async () => {
      const audit = await openMarch(kind);
      // A portal deletes older ones when it starts.
      const now = Date.now();
      const add = (id: string, purpose: string, customer: string | null) =>
        audit.way.change(
          "insert into messages (id, customer_id, purpose, state, written_at, changed_at) values (?, ?, ?, 'given-up', ?, ?)",
          ...[id, customer, purpose, now, now],
        );
      await add("a", "login", "anna");
      await add("b", "notice", "anna");
      await add("decoy", "login", null);
      const words = ["report", "--month", isoDayInPoland(now).slice(0, 7), "--format", "json"];
      const { stdout } = await runCommand(variablesOf(audit.way.place), words);
      expect(JSON.parse(stdout)).toMatchObject({ total: { "codes given up": 1, "notices given up": 1 } });
    });

    it("says what it can't know: times before the audit, messages that are gone, lost archives", async () => {
      const audit = await openMarch(kind);
      expect((await made(audit)).notKnown).toEqual([
        expect.stringContaining("What became of messages is kept for 30 days"),
      ]);
      await archive(audit);
      for (const file of readdirSync(audit.folder).filter((name) => name.includes("2024-03")))
        rmSync(join(audit.folder, file));
      const { code, stdout } = await run(audit, "--format", "json");
      expect([code, JSON.parse(stdout)]).toMatchObject([
        1,
        {
          notKnown: [
            expect.stringContaining("2024-03"),
            expect.stringContaining("kept for 30 days"),
          ] as unknown[],
        },
      ]);
      await audit.way.change("delete from audit_archives");
      await audit.write(1, { at: day(4, 2) });
      expect((await made(audit)).notKnown[0]).toContain("The audit begins 2024-04-02 14:00:00 CEST");
    });

    it("is a table for people, and a line for each week for a spreadsheet", async () => {
      const audit = await openMarch(kind);
      const { stdout } = await run(audit);
      expect(stdout).toMatch(/^ +01–03 {3}04–10 {3}11–17 {3}18–24 {3}25–31 {3}month$/m);
      expect(stdout).toMatch(/^codes held back by a cap +0 +3 +0 +0 +0 +3$/m);
      const lines = (await run(audit, "--format", "csv")).stdout.split("\n");
      expect(lines[0]).toMatch(/^\uFEFFof,from,to,registered,signed in: sms,/);
      expect(lines.slice(1, 7).map((line) => line.split(",").slice(0, 5).join(","))).toEqual([
        ...["week,2024-03-01,2024-03-03,0,1", "week,2024-03-04,2024-03-10,0,0"],
        ...["week,2024-03-11,2024-03-17,0,0", "week,2024-03-18,2024-03-24,0,0"],
        ...["week,2024-03-25,2024-03-31,0,0", "month,2024-03-01,2024-03-31,0,1"],
      ]);
    });

    it("refuses a month that is none, or has not begun", async () => {
      const audit = await openMarch(kind);
      for (const month of ["2024-13", "March", "9999-01"])
        expect((await runCommand(variablesOf(audit.way.place), ["report", "--month", month])).code).toBe(2);
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
    expect(
      (await way.query("select reason from audit_events where event = 'signed-in' order by seq")).map(
        ({ reason }) => reason,
      ),
    ).toEqual(["sms", "trusted-device", "registration", "sms", "app", "after-reset"]);
    await way.close();
  });
});
