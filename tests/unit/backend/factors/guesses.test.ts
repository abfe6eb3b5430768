import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { RequestOptions } from "~/contract/factors.server";
import { unlockAccount } from "~/backend/support/sign-in-locks.server";
import { purge } from "~/backend/jobs/upkeep.server";
import { defaultLimits } from "~/platform/config/limits";
import { type Answer, type Browser, wrongCode, errorCodeOf } from "../../../contract/browser";
import { type DatabaseKind, onAnyDatabase, onRacingDatabase } from "../../../database";
import { ANNA } from "../../../demo-customers";
import {
  addApp,
  type AddedApp,
  appCode,
  bodyOf,
  confirmBy,
  proofBySms,
  withPassword,
} from "../../../factor-steps";
import { addPasskey, atLocalhost, type Bent, type PasskeyDevice } from "../../../passkey-device";
import { bySupport, supportBeside } from "../../operators/account/help-desk";
import { codeOf as codeSent, guess, NOTICES, noticesTo, signIn } from "../notices/notice-steps";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const CONFIRM = "/home/api/user/activate-session/confirm";
const SMS_AT_SIGN_IN = "/cp/api/factors/sms";

const limits = defaultLimits("production");

/** For how many hours codes are not compared; 0 if this one was. */
function hoursOf({ status, body }: Answer): number {
  return status === 429 ? (body as { retryAfterSeconds: number }).retryAfterSeconds / 3600 : 0;
}

let way: TestBackend;
let owner: Browser;
let app: AddedApp;

/** Opens a backend before each test, in which the owner has an app. */
function useBackend(kind: DatabaseKind): void {
  beforeEach(async () => {
    way = await openTestBackend({ kind, limits, noticeTexts: NOTICES });
    owner = await signIn(way, ANNA);
    app = await addApp(way, owner, ANNA, way.now());
    way.advance(10 * MINUTE);
  });
  afterEach(() => way.close());
}

const guesses = (tries = 15) => guess(way, app, way.now(), tries);
/** The right code of the app, in a browser that the account doesn't know. */
const byStranger = async () => confirmBy(await withPassword(way, ANNA), "app", appCode(app, way.now()));
/** The same in a browser of the owner. */
async function byOwner(): Promise<Answer> {
  await owner.login(ANNA);
  return confirmBy(owner, "app", appCode(app, way.now()));
}
const stopped = async () => hoursOf(await byStranger());
const told = async () => (await noticesTo(way)).filter((text) => text.includes("zgadywano"));
const entries = async () => {
  await byOwner();
  const { events } = bodyOf(await owner.get("/cp/api/activity"));
  return events.filter(({ event }) => event === "factor-guessed");
};
const audited = () => way.query("select event from audit_events where event = 'factor-guessed'");

async function purgeNow(): Promise<void> {
  const { store } = await supportBeside(way, way.now);
  await purge(store, limits, way.now());
  await store.close();
}

/** A hundred wrong codes in a row, but one. */
const nearlyAHundred = () => way.change("update factor_settings set wrong_in_row = 99");
/** A hundred of them. */
async function hundred(): Promise<void> {
  await nearlyAHundred();
  await guesses(1);
  expect(await stopped()).toBe(24);
  const stranger = await withPassword(way, ANNA);
  expect(hoursOf(await stranger.askForCode({ method: "app" }))).toBe(24);
}

async function answerBy(device: PasskeyDevice, bent?: Bent): Promise<Answer> {
  const browser = await withPassword(atLocalhost(way), ANNA);
  const { options } = bodyOf(await browser.askForCode({ method: "passkey" })) as unknown as {
    options: RequestOptions;
  };
  const response = device.answer(options, bent);
  return browser.post(CONFIRM, {
    method: "passkey",
    response,
    trustDevice: "N",
    deviceName: "Firefox, Linux",
  });
}

async function signInByPasskey(device: PasskeyDevice): Promise<void> {
  expect((await answerBy(device)).status).toBe(200);
}

onAnyDatabase((kind) => {
  describe("guesses at a second factor", () => {
    useBackend(kind);

    it("[S154] stops comparing for 1, 2, 4, 8, 16 and 24 hours; after a hundred wrong codes for good", async () => {
      for (const hours of [1, 2, 4, 8, 16, 24]) {
        await guesses(14);
        expect(
          errorCodeOf(await confirmBy(await withPassword(way, ANNA), "app", appCode(app, way.now(), 5))),
        ).toBe("007");
        expect(await stopped()).toBe(hours);
        const stranger = await withPassword(way, ANNA);
        expect(hoursOf(await confirmBy(stranger, "recovery", app.recoveryCode ?? ""))).toBe(hours);
        expect(hoursOf(await stranger.askForCode())).toBe(hours);
        way.advance(hours * HOUR - 1);
        expect(await stopped()).toBeGreaterThan(0);
        way.advance(1);
      }
      await guesses(10);
      for (let days = 0; days < 40; days += 20) {
        expect(await stopped()).toBe(24);
        way.advance(20 * DAY);
      }
      await purgeNow();
      expect(await stopped()).toBe(24);
    });

    it("[S154] tells the screen how long the stop lasts, not how long its browser is blocked", async () => {
      await guesses(10);
      const stranger = await withPassword(way, ANNA);
      for (let nth = 0; nth < 5; nth += 1) await confirmBy(stranger, "app", appCode(app, way.now(), 5));
      expect(hoursOf(await stranger.askForCode())).toBe(1);
    });

    it("[S154] counts wrong codes by SMS with them", async () => {
      const stranger = await withPassword(way, ANNA);
      await stranger.askForCode({ method: "sms" });
      const sms = await codeSent(way);
      for (let nth = 1; nth <= 5; nth += 1) await confirmBy(stranger, "sms", wrongCode(sms, nth));
      await guesses(10);
      expect(await stopped()).toBe(1);
    });

    it("[S154] begins with an hour again once a factor was right, in an unknown browser or a known one", async () => {
      for (const right of [byStranger, byOwner]) {
        await guesses();
        expect(await stopped()).toBe(1);
        way.advance(HOUR);
        await guesses();
        expect(await stopped()).toBe(2);
        // What strangers may not try yet, they may not try now either.
        if (right === byOwner) expect((await right()).status).toBe(200);
        if (right === byOwner) expect(await stopped()).toBe(2);
        way.advance(2 * HOUR);
        if (right === byStranger) expect((await right()).status).toBe(200);
        way.advance(MINUTE);
      }
      await guesses();
      expect(await stopped()).toBe(1);
    });

    it("[S154] begins with an hour again after 30 days without a wrong code, and not before", async () => {
      await guesses();
      way.advance(30 * DAY - 1);
      await guesses();
      expect(await stopped()).toBe(2);
      way.advance(20 * DAY);
      await purgeNow();
      await guesses();
      expect(await stopped()).toBe(4);
      way.advance(30 * DAY);
      await guesses();
      expect(await stopped()).toBe(1);
      way.advance(30 * DAY);
      await purgeNow();
      expect(await way.query("select subject from attempts where subject like 'factor|%'")).toEqual([]);
    });

    it("[S131, S154] counts in a known browser apart: strangers stop none there, and it has a stop of its own", async () => {
      bodyOf(await owner.put(SMS_AT_SIGN_IN, { ...(await proofBySms(way, owner, ANNA)), on: false }));
      await hundred();
      for (const hours of [1, 2, 4, 8, 16, 24, 24]) {
        for (let nth = 0; nth < 15; nth += 1) {
          if (nth % 5 === 0) way.advance(15 * MINUTE);
          if (nth % 5 === 0) await owner.login(ANNA);
          expect(["007", "016"]).toContain(
            errorCodeOf(await confirmBy(owner, "app", appCode(app, way.now(), 5))),
          );
        }
        expect(hoursOf(await byOwner())).toBe(hours);
        way.advance(hours * HOUR);
      }
      expect((await byOwner()).status).toBe(200);
    });

    it("[S154] after a hundred wrong codes a right one of a known browser lets all browsers try again", async () => {
      await hundred();
      expect((await byOwner()).status).toBe(200);
      way.advance(MINUTE);
      expect((await byStranger()).status).toBe(200);
    });

    it("[S154] after a hundred wrong codes a passkey lets all browsers try again, in an unknown one too", async () => {
      const { device } = await addPasskey(way, owner, ANNA, "Klucz");
      await hundred();
      await signInByPasskey(device);
      expect((await byStranger()).status).toBe(200);
    });

    it("[S154] after a hundred wrong codes `account unlock` lets all browsers try again", async () => {
      await hundred();
      const desk = await supportBeside(way, way.now);
      const [{ id: accountId }] = (await way.query(
        "select id from accounts where username = ?",
        ANNA.username,
      )) as [{ id: string }];
      const unlock = () => unlockAccount(desk, { accountId, source: bySupport() });
      expect(await unlock()).toMatchObject({ factorStops: 1, timedLocks: 0 });
      expect(await unlock()).toMatchObject({ factorStops: 0 });
      await desk.store.close();
      expect((await byStranger()).status).toBe(200);
    });

    it("[S154] after a hundred wrong codes an SMS in an unknown browser signs in, and ends nothing", async () => {
      await hundred();
      const stranger = await withPassword(way, ANNA);
      bodyOf(await stranger.askForCode({ method: "sms" }));
      bodyOf(await confirmBy(stranger, "sms", await codeSent(way)));
      expect(await stopped()).toBe(24);
    });

    it("[S154] counts a hundred in a row: a right code in an unknown browser begins at none", async () => {
      await nearlyAHundred();
      expect((await byStranger()).status).toBe(200);
      way.advance(MINUTE);
      await guesses(14);
      expect((await byStranger()).status).toBe(200);
    });

    it("[S154] exempts passkeys: none is stopped, and wrong answers stop nothing", async () => {
      const { device } = await addPasskey(way, owner, ANNA, "Klucz");
      await guesses();
      await signInByPasskey(device);
      for (let nth = 0; nth < 20; nth += 1)
        expect(errorCodeOf(await answerBy(device, { origin: "http://evil.example" }))).toBe("007");
      expect((await byStranger()).status).toBe(200);
      expect(await told()).toHaveLength(1);
    });

    it("[S155] tells the owner at the first stop of a day: notice, activity and audit, once", async () => {
      await guesses(14);
      expect([await told(), await audited()]).toEqual([[], []]);
      await guesses(1);
      expect(await told()).toEqual([NOTICES["factor-guessed"]({ at: way.now() })]);
      expect(await audited()).toHaveLength(1);
      way.advance(HOUR);
      await guesses();
      expect(await stopped()).toBe(2);
      expect(await told()).toHaveLength(1);
      expect(await audited()).toHaveLength(1);
      expect(await entries()).toHaveLength(1);
      way.advance(DAY);
      await guesses();
      expect(await told()).toHaveLength(2);
      expect(await audited()).toHaveLength(2);
      expect(await entries()).toHaveLength(2);
    });

    it("[S155] tells the owner who guesses in a known browser, too", async () => {
      await owner.login(ANNA);
      for (let nth = 0; nth < 15; nth += 1) {
        if (nth % 5 === 0) await way.change("delete from codes");
        await confirmBy(owner, "app", appCode(app, way.now(), 5));
      }
      expect(hoursOf(await byOwner())).toBe(1);
      expect(await told()).toHaveLength(1);
    });

    it("[S155] gives its tries back to a browser whose right codes were used before, five times and more", async () => {
      expect((await byOwner()).status).toBe(200);
      const late = await withPassword(way, ANNA);
      for (let nth = 0; nth < 20; nth += 1)
        expect(errorCodeOf(await confirmBy(late, "app", appCode(app, way.now())))).toBe("007");
      expect((await confirmBy(late, "app", appCode(app, way.now(), 1))).status).toBe(200);
    });
  });
});

onRacingDatabase((kind) => {
  describe("guesses at once", () => {
    useBackend(kind);

    it("[S154] of fifty wrong codes at once in ten browsers compares fifteen, and tells the owner once", async () => {
      const strangers: Browser[] = [];
      while (strangers.length < 10) strangers.push(await withPassword(way, ANNA));
      const wrong = appCode(app, way.now(), 5);
      const answers = await fifty((nth) => confirmBy((strangers[nth % 10] ?? owner).twin(), "app", wrong));
      expect(answers.filter(({ status }) => status === 400)).toHaveLength(15);
      expect(answers.filter((answer) => hoursOf(answer) === 1)).toHaveLength(35);
      expect(await told()).toHaveLength(1);
      expect(await audited()).toHaveLength(1);
    });

    it("[S155] takes one of fifty right codes at once in fifty browsers, and counts none of them as wrong", async () => {
      const browsers: Browser[] = [];
      while (browsers.length < 50) browsers.push(await withPassword(way, ANNA));
      const code = appCode(app, way.now());
      const answers = await fifty((nth) => confirmBy(browsers[nth] ?? owner, "app", code));
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter((answer) => errorCodeOf(answer) === "007")).toHaveLength(49);
      const counted =
        "select subject from attempts where subject like 'factor|%' and (tries > 0 or level > 0)";
      expect(await way.query(counted)).toEqual([]);
      expect(await way.query("select account_id from factor_settings where wrong_in_row > 0")).toEqual([]);
      expect(await way.query("select id from codes where purpose = 'login' and tries > 0")).toEqual([]);
      expect(await told()).toEqual([]);
      way.advance(11 * MINUTE);
      await guesses(14);
      expect((await byStranger()).status).toBe(200);
    });
  });
});
