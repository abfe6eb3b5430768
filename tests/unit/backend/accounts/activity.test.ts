import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser } from "../../../contract/browser";
import { processorTime } from "../../../processor-time";
import { onAnyDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";

const DAY = 24 * 60 * 60_000;
/** How many of the fifty events may be refusals. */
const MOST_REFUSALS = 20;

onAnyDatabase((kind) => {
  describe("an account's activity", () => {
    let way: TestBackend;
    let browser: Browser;
    beforeEach(async () => {
      // No lock stops the wrong passwords, so that there are many refusals.
      const limits = { ...defaultLimits("demo"), PASSWORD_TRIES: 1000 };
      way = await openTestBackend({ kind, limits });
      browser = new Browser(way);
    });
    afterEach(() => way.close());

    const events = async () =>
      ((await browser.get("/cp/api/activity")).body as CallResponse<"activity">).events;
    const names = async () => (await events()).map(({ event }) => event);
    const wrongPasswords = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        way.advance(1);
        await new Browser(way).login({ ...ANNA, password: "Nie-To-Haslo-1" });
      }
    };
    /** Signs in again from the trusted device. */
    const signIns = async (count: number) => {
      for (let nth = 0; nth < count; nth += 1) {
        way.advance(1);
        expect((await browser.login(ANNA)).status).toBe(200);
      }
    };

    it("is shown for exactly ninety days, by the backend's clock", async () => {
      await browser.signIn(ANNA);
      expect(await names()).toEqual(["signed-in"]);
      way.advance(90 * DAY - 1);
      await browser.signIn(ANNA);
      expect(await names()).toEqual(["signed-in", "signed-in"]);
      way.advance(1);
      expect(await names()).toEqual(["signed-in"]);
      // It is a view of the audit, which is kept.
      expect(await way.query("select id from audit_events where event = 'signed-in'")).toHaveLength(2);
    });

    it("[F54] says which events came from the device that asks, by its name and address", async () => {
      await browser.signIn(ANNA);
      const elsewhere = new Browser(way, "203.0.113.77");
      await elsewhere.login({ ...ANNA, password: "Nie-To-Haslo-1" });
      way.advance(1);
      await new Browser(way).login({ ...ANNA, password: "Nie-To-Haslo-1" });
      const told = (await events()).map(({ event, sameDevice }) => [event, sameDevice]);
      expect(told).toEqual([
        ["sign-in-refused", true],
        ["sign-in-refused", false],
        ["signed-in", true],
      ]);
    });

    it("[S164] of an event of an earlier release, without a subject, doesn't say which browser caused it", async () => {
      await browser.signIn(ANNA);
      expect((await events()).map(({ here }) => here)).toEqual([true]);
      await way.query("update audit_events set subject = null");
      expect((await events()).map(({ here }) => here)).toEqual([undefined]);
    });

    it("[S164] keeps thirty of the fifty places for other events than downloads", async () => {
      await browser.signIn(ANNA);
      const row = (nth: number) =>
        `('d${nth}', ${NOON + nth}, 'document-downloaded', account_id, '', '', '')`;
      const { account_id: id } = (
        await way.query("select account_id from audit_events where event = 'signed-in'")
      )[0] as {
        account_id: string;
      };
      const rows = Array.from({ length: 60 }, (_, nth) => row(nth).replace("account_id", `'${id}'`));
      await way.query(
        `insert into audit_events (id, happened_at, event, account_id, address, request_id, device_name) values ${rows.join(", ")}`,
      );
      const told = await names();
      expect(told.filter((name) => name === "document-downloaded")).toHaveLength(20);
      expect(told).toContain("signed-in");
    });

    it("shows at most fifty events, the newest", async () => {
      await browser.signIn(ANNA, "Y");
      await signIns(60);
      const told = await events();
      expect(told).toHaveLength(50);
      const times = told.map(({ at }) => Date.parse(at));
      expect(times).toEqual([...times].sort((one, other) => other - one));
      expect(told.map(({ event }) => event)).not.toContain("device-trusted");
    });

    it("keeps at least thirty of the fifty places for what the customer did, whatever strangers try", async () => {
      await browser.signIn(ANNA, "Y");
      await signIns(40);
      await wrongPasswords(MOST_REFUSALS + 15);
      const told = await names();
      expect(told).toHaveLength(50);
      expect(told.slice(0, MOST_REFUSALS)).toEqual(told.slice(0, MOST_REFUSALS).map(() => "sign-in-refused"));
      expect(told.slice(MOST_REFUSALS)).toEqual(told.slice(MOST_REFUSALS).map(() => "signed-in"));
    });

    it("holds at most twenty refusals, even if little else happened", async () => {
      await browser.signIn(ANNA);
      await wrongPasswords(MOST_REFUSALS + 15);
      expect(await names()).toHaveLength(MOST_REFUSALS + 1);
    });

    it("names the device that asked, as the portal names it", async () => {
      await new Browser(named("Firefox 128, Windows 10")).login({ ...ANNA, password: "Nie-To-Haslo-1" });
      browser = new Browser(named("Safari 18, Żółty iPhone"));
      await browser.signIn(ANNA);
      expect(await events()).toMatchObject([
        { event: "signed-in", deviceName: "Safari 18, Żółty iPhone" },
        { event: "sign-in-refused", deviceName: "Firefox 128, Windows 10" },
      ]);
    });

    it.each([
      ["nothing", "", ""],
      ["broken percent-encoding", "Firefox%zz", ""],
      ["bytes that are no text", "%FF%FE", ""],
      ["NUL", "Fire%00fox", ""],
      ["half a character", "%ED%A0%80", ""],
      ["10 KB", "a".repeat(10 * 1024), "a".repeat(100)],
      ["a hundred characters beyond U+FFFF and more", encodeURIComponent("😀".repeat(101)), "😀".repeat(100)],
    ])("takes a device name of %s without an error, and stores what it can", async (_, sent, kept) => {
      const answer = await new Browser(named(sent, true)).login({ ...ANNA, password: "Nie-To-Haslo-1" });
      expect(answer.status).toBe(400);
      await browser.signIn(ANNA);
      expect((await events()).at(-1)).toMatchObject({ event: "sign-in-refused", deviceName: kept });
    });

    // The time is that of this process; PostgreSQL works in another.
    if (kind === "sqlite")
      it("doesn't become slow to list, however often strangers tried during a lock", async () => {
        await browser.signIn(ANNA);
        const listings = () =>
          processorTime(async () => {
            for (let nth = 0; nth < 20; nth += 1) {
              await browser.get("/cp/api/activity");
              await browser.get("/cp/api/profile");
            }
          });
        await listings();
        const before = await listings();
        // As many as one address can cause in twelve days.
        await way.change(
          `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
        insert into audit_events (id, happened_at, event, account_id, address, request_id)
        select n, ${NOON} - n, 'sign-in-blocked', accounts.id, '192.0.2.1', '' from numbers, accounts
        where username = ?`,
          ANNA.username,
        );
        expect(await listings()).toBeLessThan(10 * before);
      });

    /** The same backend, behind a portal that gives every device this name. */
    function named(name: string, isEncoded = false): TestBackend {
      return {
        ...way,
        fetch: (path, init) => {
          const headers = new Headers(init?.headers);
          headers.set("X-Device-Name", isEncoded ? name : encodeURIComponent(name));
          return way.fetch(path, { ...init, headers });
        },
      };
    }
  });
});
