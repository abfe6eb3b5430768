import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { stopNewPhone, applyNewPhone } from "~/backend/accounts/new-phone.server";
import type { Browser } from "../../../contract/browser";
import { register } from "../../../contract/register";
import { onAnyDatabase } from "../../../database";
import { ACT, runCommand } from "../../../operator-command";
import { fifty } from "../../backend/test-backend";
import { variablesOf } from "../../backend/test-place";
import { isNotice } from "../../backend/notices/notice-steps";
import { ZOFIA } from "../importing";
import { acted, bySupport, openHelpDesk, supportBeside, type HelpDesk, TIME } from "./help-desk";

const NEW = "+48500900555";
const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string;
const ZOFIAS = ["--policy-no", "POL-900001"] as const;

onAnyDatabase((kind) => {
  describe("[S136] a new phone number that waits, on the help desk's screen", () => {
    let desk: HelpDesk;
    let browser: Browser;
    let username: string;
    beforeEach(async () => {
      desk = await openHelpDesk(kind, {}, { SMS_NOTICES: "on" });
      await imported(ZOFIA.phone);
      ({ browser, username } = await register(desk.way, { ...ZOFIA, policyNo: "POL-900001" }));
      await imported(NEW);
    });
    afterEach(() => desk.way.close());

    async function imported(phone: string): Promise<void> {
      const file = join(desk.way.dataDir, "lines.jsonl");
      writeFileSync(file, `${JSON.stringify({ ...ZOFIA, phone })}\n`);
      const words = ["import", file, "--operator", "jan"];
      expect((await runCommand({ ...variablesOf(desk.way.place), SMS_NOTICES: "on" }, words)).stderr).toBe(
        "",
      );
    }
    const run = async (name: string) => {
      const { code, stdout, stderr } = await desk.run([name, ...ZOFIAS, ...ACT]);
      expect([code, stderr]).toEqual([0, ""]);
      return stdout;
    };
    const does = async (name: string) => {
      const { stdout } = await desk.run([name, ...ZOFIAS, ...ACT, "--json"]);
      return JSON.parse(stdout) as Record<string, unknown>;
    };
    /** The last digits of the number that a code goes to now. */
    const sentTo = async () => {
      const { body } = await browser.post(`/home/api/user/${username}/login-change/init`);
      return (body as { sentTo?: string }).sentTo?.slice(-3);
    };
    const told = async (words: string) =>
      (await desk.way.outbox())
        .filter(({ text }) => isNotice(text) && text.includes(words))
        .map(({ to }) => to)
        .sort();

    it("is shown with the old one, its time and its import, whose events the audit finds", async () => {
      const [customer] = await desk.way.query(
        "select new_phone_from from customers where new_phone_from > 0",
      );
      const { phone, newPhone } = (await does("show")) as {
        phone: string;
        newPhone: { phone: string; from: string; import: { operator: string; requestId: string } };
      };
      expect([phone, newPhone]).toEqual([
        "••• ••• 001",
        {
          phone: "••• ••• 555",
          from: new Date(Number(customer?.["new_phone_from"])).toISOString(),
          import: { at: ISO, operator: "jan", requestId: expect.any(String) as string },
        },
      ]);
      const { requestId } = newPhone.import;
      const caused = "select event from audit_events where request_id = ? order by event";
      expect(await desk.way.query(caused, requestId)).toEqual([
        { event: "details-changed" },
        { event: "import-begun" },
        { event: "policyholders-imported" },
      ]);
      expect(await run("show")).toMatch(
        new RegExp(
          `\nnewPhone:\n {2}phone: ••• ••• 555\n {2}from: ${TIME}\n {2}import:\n {4}at: ${TIME}\n {4}operator: jan\n`,
        ),
      );
    });

    it("is used at once by use-new-phone: both numbers are told, and nothing waits any more", async () => {
      expect(await does("use-new-phone")).toMatchObject({
        changed: true,
        outcome: "used",
        oldPhone: "••• ••• 001",
        newPhone: "••• ••• 555",
        isTold: true,
      });
      expect(await sentTo()).toBe("555");
      expect(await told("wlaczyla Twoj nowy numer")).toEqual([ZOFIA.phone, NEW]);
      expect(await does("use-new-phone")).toMatchObject({ changed: false });
      expect(await does("keep-old-phone")).toMatchObject({ changed: false });
      expect(await does("show")).not.toHaveProperty("newPhone");
      const finds = async (phone: string) =>
        (await desk.run(["find", "--phone", "-", ...ACT], phone)).stdout.startsWith(
          "kind: found\ncustomers:\n",
        );
      expect([await finds(ZOFIA.phone), await finds(NEW)]).toEqual([true, true]);
      await imported(NEW);
      expect([await finds(ZOFIA.phone), await finds(NEW)]).toEqual([false, true]);
      expect(await sentTo()).toBe("555");
      const acts = await desk.acts();
      expect(acts.filter(({ event }) => String(event).startsWith("new-phone"))).toEqual([
        acted("new-phone-used"),
      ]);
    });

    it("is stopped by keep-old-phone: both numbers are told, and the next import makes it wait again", async () => {
      expect(await does("keep-old-phone")).toMatchObject({
        changed: true,
        outcome: "stopped",
        oldPhone: "••• ••• 001",
        newPhone: "••• ••• 555",
      });
      expect(await told("zatrzymano zmiane numeru")).toEqual([ZOFIA.phone, NEW]);
      desk.way.advance(25 * 3_600_000);
      expect(await does("show")).not.toHaveProperty("newPhone");
      expect(await run("keep-old-phone")).toMatch(/\nchanged: false\nnotes:\n.*--phone-verified/);
      await imported(NEW);
      expect(await does("show")).toHaveProperty("newPhone");
      expect(await desk.acts()).toContainEqual(acted("new-phone-stopped"));
    });

    it("is decided about once, by whichever of fifty acts at once comes first", async () => {
      const deps = await supportBeside(desk.way, () => Date.now());
      const [row] = await desk.way.query("select id, customer_id from accounts where username = ?", username);
      const customer = { accountId: String(row?.["id"]), customerId: String(row?.["customer_id"]) };
      const decided = await fifty((nth) =>
        (nth % 2 === 0 ? applyNewPhone : stopNewPhone)(deps, bySupport(), customer),
      );
      expect(decided.filter((phones) => phones !== undefined)).toHaveLength(1);
      await deps.store.close();
    });
  });
});
