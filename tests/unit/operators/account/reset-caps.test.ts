import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser, latestCode, messagesTo, wrongCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, KRYSTYNA } from "../../../demo-customers";
import { ACT } from "../../../operator-command";
import { lock, signIn } from "../../backend/notices/notice-steps";
import { acted, openHelpDesk, type HelpDesk } from "./help-desk";

const REMIND = "/home/api/user/login-remind";
const REGISTER = "/home/api/user/register";
const LIMITS = {
  SMS_OPEN_PER_10_MINUTES: 2,
  SMS_OPEN_PER_DAY: 3,
  SMS_KNOWN_PER_10_MINUTES: 2,
  CODE_TRIES: 3,
  CODE_TRIES_PER_DAY: 3,
};

onAnyDatabase((kind) => {
  describe("[S97] next to a running portal, the help desk", () => {
    let desk: HelpDesk;
    beforeEach(async () => {
      desk = await openHelpDesk(kind, LIMITS);
    });
    afterEach(() => desk.way.close());

    const sent = () => messagesTo(desk.way, ANNA.phone);
    /** The windows of addresses and of all customers together. */
    const shared = () =>
      desk.way.query(
        "select bucket, count from windows where bucket like '%address%' or bucket like '%|all|%' order by bucket",
      );
    const usedUp = async () =>
      ((await desk.does("show"))["usedUpCaps"] as { of: string }[]).map(({ of }) => of);
    const statusOf = async (browser: Browser) => {
      await browser.login(ANNA);
      return (await browser.askForCode()).status;
    };

    it("resets the caps on codes that signed-out visitors ask for, but none that others share", async () => {
      const ask = async () => (await new Browser(desk.way).post(`${REMIND}/init`, ANNA)).status;
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
      expect(await usedUp()).toEqual(["codes-signed-out"]);
      const before = await shared();
      expect(before).toHaveLength(2);
      expect(await desk.does("reset-caps")).toMatchObject({
        changed: true,
        reset: [{ of: "codes-signed-out", wasUsedUp: true }],
      });
      expect(await shared()).toEqual(before);
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
      expect(await sent()).toBe(4);
      expect(await desk.acts()).toEqual(["account-shown", "caps-reset"].map(acted));
    });

    it("resets the caps on codes after a right password, and those of a known browser", async () => {
      const home = await signIn(desk.way, ANNA);
      const ask = async () => {
        const seen: number[] = [];
        for (const make of [() => new Browser(desk.way), () => home.twin()])
          for (let nth = 0; nth < 3; nth += 1) {
            // Any sooner, it would be taken for a doubled request.
            desk.way.advance(31_000);
            seen.push(await statusOf(make()));
          }
        return seen;
      };
      expect(await ask()).toEqual([200, 429, 429, 200, 200, 429]);
      expect(await usedUp()).toEqual(["codes-after-password", "codes-in-known-browser"]);
      expect(await desk.does("reset-caps")).toMatchObject({ changed: true });
      expect(await ask()).toEqual([200, 200, 429, 200, 200, 429]);
    });

    it("lets codes go out again after wrong ones stopped them, and the next one works", async () => {
      const browser = new Browser(desk.way);
      await browser.login(ANNA);
      await browser.askForCode();
      const code = await latestCode(desk.way, ANNA.phone);
      for (let nth = 1; nth <= 5; nth += 1) await browser.confirm(wrongCode(code, nth));
      expect(await statusOf(browser)).toBe(429);
      expect(await usedUp()).toEqual(["codes-after-wrong-codes"]);
      await desk.does("reset-caps");
      expect(await statusOf(browser)).toBe(200);
      expect((await browser.confirm(await latestCode(desk.way, ANNA.phone))).status).toBe(200);
    });

    it("resets the caps on the registration of a customer who has no account yet", async () => {
      const { policyNo, pid, phone } = KRYSTYNA;
      const ask = async () =>
        (await new Browser(desk.way).post(`${REGISTER}/init`, { policyNo, pid })).status;
      expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
      const { code, stdout } = await desk.run(["reset-caps", "--pid", "-", ...ACT], pid);
      expect([code, stdout]).toEqual([
        0,
        "account: none\nchanged: true\nreset:\n  - of: codes-signed-out\n    wasUsedUp: true\n",
      ]);
      expect(await ask()).toBe(200);
      expect(await messagesTo(desk.way, phone)).toBe(3);
      const [event] = await desk.way.query("select * from audit_events where event = 'caps-reset'");
      const [row] = await desk.way.query("select customer_id from policies where policy_no = ?", policyNo);
      expect(event).toMatchObject({ account_id: null, subject: row?.["customer_id"] });
    });

    it("leaves timed locks alone", async () => {
      await lock(desk.way);
      await desk.does("reset-caps");
      expect((await new Browser(desk.way).login(ANNA)).status).toBe(400);
    });
  });
});
