import { afterEach, describe, expect, it } from "vitest";
import { defaultLimits, type Limits } from "~/platform/config/limits";
import { Browser } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { NOTICES, codesTo, fiftyWithAnnasNumber, lock, noticesTo, ok, signIn } from "../notices/notice-steps";
import { NOON, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

onAnyDatabase((kind) => {
  describe("[S96] the caps of SMS notices", () => {
    let way: TestBackend;
    afterEach(() => way.close());

    async function open(limits: Partial<Limits>): Promise<void> {
      way = await openTestBackend({
        kind,
        noticeTexts: NOTICES,
        limits: { ...defaultLimits("demo"), ...limits },
      });
    }

    it("hold five a day for a number, and leave its codes alone", async () => {
      await open({ SMS_NOTICES_PER_DAY: 5 });
      for (let nth = 0; nth < 7; nth += 1) await signIn(way, ANNA, "Y");
      expect(await noticesTo(way)).toHaveLength(5);
      expect(await codesTo(way)).toHaveLength(7);
      await signIn(way, PIOTR, "Y");
      expect(await noticesTo(way, PIOTR.phone)).toHaveLength(1);
      way.advance(DAY);
      await signIn(way, ANNA, "Y");
      expect(await noticesTo(way)).toHaveLength(6);
      expect((await noticesTo(way))[0]).toBe(NOTICES["device-trusted"]({ at: NOON + DAY }));
    });

    it("are not those of codes: a number that gets no further code still gets its notices", async () => {
      await open({
        SMS_KNOWN_PER_DAY: 1,
        SMS_KNOWN_TOTAL_PER_HOUR: 1,
        SMS_OPEN_PER_DAY: 1,
        SMS_OPEN_TOTAL_PER_HOUR: 1,
      });
      await signIn(way, ANNA, "Y");
      await new Browser(way).post("/home/api/user/login-remind/init", ANNA);
      const other = new Browser(way);
      ok(await other.login(ANNA));
      expect((await other.askForCode()).status).toBe(429);
      await lock(way);
      expect(await noticesTo(way)).toHaveLength(2);
      expect(await codesTo(way)).toHaveLength(2);
    });

    it("allow a number one notice of a lock a day, and leave its other notices alone", async () => {
      await open({ SMS_LOCK_NOTICES_PER_DAY: 1, SMS_NOTICES_PER_DAY: 1 });
      await lock(way);
      way.advance(15 * MINUTE);
      await lock(way);
      expect(await noticesTo(way)).toEqual([NOTICES["sign-in-locked"]({ at: NOON })]);
      way.advance(30 * MINUTE);
      await signIn(way, ANNA, "Y");
      expect(await noticesTo(way)).toHaveLength(2);
      way.advance(DAY);
      await lock(way);
      expect(await noticesTo(way)).toHaveLength(3);
    });

    it("let one notice through to a number for fifty locks at once", async () => {
      await open({ SMS_LOCK_NOTICES_PER_DAY: 1, PASSWORD_TRIES: 1 });
      const names = await fiftyWithAnnasNumber(way);
      const wrong = (username: string) => new Browser(way).login({ username, password: "Nie-To-Haslo-1" });
      await Promise.all(names.map(wrong));
      const locks = await way.query("select id from audit_events where event = 'sign-in-locked'");
      expect(locks).toHaveLength(50);
      expect(await noticesTo(way)).toHaveLength(1);
    });

    it("hold a fixed number of lock notices an hour, log the last, and charge no number that gets none", async () => {
      await open({ SMS_LOCK_NOTICES_TOTAL_PER_HOUR: 1, SMS_LOCK_NOTICES_PER_DAY: 1 });
      await lock(way, PIOTR.username);
      await lock(way);
      expect(await noticesTo(way, PIOTR.phone)).toHaveLength(1);
      expect(await noticesTo(way)).toEqual([]);
      const logged = way.logged.filter((line) => line.includes('"event":"sms-total-cap-reached"'));
      expect(logged).toEqual([expect.stringContaining('"budget":"lock"')]);
      way.advance(HOUR);
      await lock(way);
      expect(await noticesTo(way)).toHaveLength(1);
    });

    it("are not used up by names that nobody has", async () => {
      await open({ SMS_LOCK_NOTICES_TOTAL_PER_HOUR: 1, SMS_LOCK_NOTICES_PER_DAY: 1 });
      for (let nth = 0; nth < 3; nth += 1) await lock(way, `nikt.${nth}`);
      await lock(way);
      expect(await noticesTo(way)).toHaveLength(1);
    });
  });
});
