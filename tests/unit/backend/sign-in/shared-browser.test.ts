import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { Browser, latestCode, needsNoCode } from "../../../contract/browser";
import { onAnyDatabase } from "../../../database";
import { ANNA, JAN, MARIA, PIOTR, TOMASZ, type RegisteredCustomer } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";
import { withToken } from "./trusted-browser";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const FIRST = "trusted-device";
const FURTHER = [2, 3, 4].map((nth) => `${FIRST}-${nth}`);
const LONG_ENOUGH = "Nowe-Haslo-2026!";

onAnyDatabase((kind) => {
  describe("[S41] a browser that several customers use", () => {
    let way: TestBackend;
    let browser: Browser;
    beforeEach(async () => {
      way = await openTestBackend({ kind });
      browser = new Browser(way);
    });
    afterEach(() => way.close());

    const trust = async (customer: RegisteredCustomer, by = browser) => {
      await signInWithTrust(customer, by);
      await by.delete("/home/api/session");
    };
    const deviceCookies = () => [...browser.cookies.keys()].filter((name) => name.startsWith(FIRST)).sort();
    const needNoCode = async (...customers: RegisteredCustomer[]) => {
      const free: boolean[] = [];
      for (const customer of customers) free.push(await needsNoCode(browser, customer));
      return free;
    };
    const rowsOf = async ({ username }: RegisteredCustomer) => {
      const ofAccount = "account_id in (select id from accounts where username = ?)";
      return (await way.query(`select * from trusted_devices where ${ofAccount}`, username)).length;
    };
    const replays = () => way.query("select * from audit_events where event = 'device-replayed'");

    it("is trusted by each of them, with the account trusted last in the cookie that all releases know", async () => {
      await trust(ANNA);
      const annas = browser.cookies.get(FIRST);
      await trust(PIOTR);
      expect(deviceCookies()).toEqual([FIRST, FURTHER[0]]);
      expect(browser.cookies.get(String(FURTHER[0]))).toBe(annas);
      const sent = (await way.outbox()).length;
      expect(await needNoCode(ANNA, PIOTR, ANNA, ANNA, PIOTR)).toEqual([true, true, true, true, true]);
      expect(await way.outbox()).toHaveLength(sent);
      expect([await rowsOf(ANNA), await rowsOf(PIOTR)]).toEqual([1, 1]);
      expect(await replays()).toEqual([]);
      expect(browser.cookies.get(String(FURTHER[0]))).not.toBe(annas);
      const { body } = await browser.get("/cp/api/profile");
      expect(body).toHaveProperty("thisDevice");
    });

    it("keeps each trust for its own thirty days, in whichever cookie", async () => {
      await trust(ANNA);
      way.advance(10 * DAY);
      const { setCookies } = await signInWithTrust(PIOTR);
      const ages = setCookies.flatMap((line) => /^trusted-device.*Max-Age=(\d+)/.exec(line)?.[1] ?? []);
      expect(ages.map((age) => Math.round((Number(age) * 1000) / DAY))).toEqual([
        LIMITS.TRUSTED_DEVICE_DAYS,
        LIMITS.TRUSTED_DEVICE_DAYS - 10,
      ]);
      way.advance((LIMITS.TRUSTED_DEVICE_DAYS - 10) * DAY);
      expect(await needNoCode(PIOTR, ANNA)).toEqual([true, false]);
    });

    it("has one row for each account, however often it is trusted there again", async () => {
      await trust(ANNA);
      await trust(PIOTR);
      for (const name of [FIRST, ...FURTHER]) browser.cookies.delete(name);
      await trust(ANNA);
      await trust(PIOTR);
      expect([await rowsOf(ANNA), await rowsOf(PIOTR)]).toEqual([1, 1]);
      const other = new Browser(way);
      await trust(ANNA, other);
      expect(await rowsOf(ANNA)).toBe(2);
    });

    it("is trusted by four accounts at most: the oldest trust leaves", async () => {
      await way.change("update accounts set state = 'active'");
      const five = [ANNA, PIOTR, JAN, MARIA, TOMASZ];
      for (const customer of five) await trust(customer);
      expect(deviceCookies()).toEqual([FIRST, ...FURTHER]);
      expect(await needNoCode(...five.toReversed())).toEqual([true, true, true, true, false]);
      expect(await replays()).toEqual([]);
    });

    it("a doubled confirm hands out the same cookies", async () => {
      await trust(ANNA);
      await browser.login(PIOTR);
      await browser.askForCode();
      const double = browser.twin();
      const code = await latestCode(way, PIOTR.phone);
      const answers = [await browser.confirm(code, "Y"), await double.confirm(code, "Y")];
      const [first, second] = answers.map(({ setCookies }) => setCookies);
      expect(second).toEqual(first);
      expect(await needNoCode(ANNA, PIOTR)).toEqual([true, true]);
    });

    it("signing out, forgetting devices, a removed device and a reset of one leave the other's trust", async () => {
      for (const end of [signOut, forgetAll, forgetOwn, resetPassword]) {
        await trust(ANNA);
        await trust(PIOTR);
        const before = await rowsOf(ANNA);
        await end(PIOTR);
        expect(await rowsOf(ANNA), end.name).toBe(before);
        expect(await needNoCode(ANNA), end.name).toEqual([true]);
        expect(await replays()).toEqual([]);
        await browser.delete("/home/api/session");
      }
    });

    it("an old token of one's own still ends the device, in whichever cookie, and the other's trust stays", async () => {
      await trust(ANNA);
      await trust(PIOTR);
      const old = String(browser.cookies.get(String(FURTHER[0])));
      expect(await needNoCode(ANNA, ANNA)).toEqual([true, true]);
      const thief = withToken(browser, "");
      thief.cookies.set(String(FURTHER[0]), old);
      expect(await needsNoCode(thief, ANNA)).toBe(false);
      expect([await rowsOf(ANNA), await rowsOf(PIOTR)]).toEqual([0, 1]);
      expect(await replays()).toHaveLength(1);
      expect(await needNoCode(ANNA, PIOTR)).toEqual([false, true]);
    });

    it("somebody else's old token is no replay, and is still one for its owner", async () => {
      await trust(ANNA);
      const old = String(browser.cookies.get(FIRST));
      expect(await needNoCode(ANNA, ANNA)).toEqual([true, true]);
      const thief = withToken(browser, old);
      await trust(PIOTR, thief);
      expect(await needsNoCode(thief, PIOTR)).toBe(true);
      expect(await replays()).toEqual([]);
      expect(await needsNoCode(thief, ANNA)).toBe(false);
      expect(await replays()).toHaveLength(1);
    });

    it("two windows whose answers cross leave no token that would later look like a copy", async () => {
      await trust(ANNA);
      const [window, other] = [browser.twin(), browser.twin()];
      await trust(PIOTR, window);
      expect(await needsNoCode(other, ANNA)).toBe(true);
      // The browser ends up with the cookies that each answer has set: Anna's old token, and its successor.
      browser.cookies.set(String(FURTHER[0]), String(window.cookies.get(String(FURTHER[0]))));
      browser.cookies.set(FIRST, String(other.cookies.get(FIRST)));
      expect(await needNoCode(ANNA, ANNA)).toEqual([true, true]);
      expect(deviceCookies()).toEqual([FIRST]);
      expect(await replays()).toEqual([]);
    });

    it("in turn with a portal of the previous release, ends no device and raises no alarm", async () => {
      await trust(ANNA);
      await trust(PIOTR);
      for (const customer of [ANNA, PIOTR, PIOTR, ANNA]) {
        await onPreviousRelease(customer);
        const [annas, piotrs] = [await rowsOf(ANNA), await rowsOf(PIOTR)];
        await needNoCode(ANNA, PIOTR, ANNA);
        expect([await rowsOf(ANNA), await rowsOf(PIOTR)]).toEqual([annas, piotrs]);
        expect(await needNoCode(customer)).toEqual([true]);
      }
      expect(await replays()).toEqual([]);
    });

    /**
     * A sign-in at a portal of the previous release, with trust. It reads and sets the first cookie alone, and knows
     * neither the browser of a device nor the account's other devices there.
     */
    async function onPreviousRelease(customer: RegisteredCustomer): Promise<void> {
      const beside = new Browser(way);
      const before = browser.cookies.get(FIRST);
      if (before !== undefined) beside.cookies.set(FIRST, before);
      if (!(await needsNoCode(beside, customer))) {
        await signInWithTrust(customer, beside);
        const newest = "(select max(trusted_at) from trusted_devices)";
        await way.change(`update trusted_devices set browser_hash = null where trusted_at = ${newest}`);
      }
      browser.cookies.set(FIRST, String(beside.cookies.get(FIRST)));
    }

    async function signInWithTrust(customer: RegisteredCustomer, by = browser) {
      way.advance(MINUTE);
      await by.login(customer);
      await by.askForCode();
      return by.confirm(await latestCode(way, customer.phone), "Y");
    }

    async function signOut(customer: RegisteredCustomer) {
      await browser.login(customer);
      await browser.delete("/home/api/session");
    }

    async function forgetAll(customer: RegisteredCustomer) {
      await browser.login(customer);
      expect((await browser.delete("/cp/api/trusted-devices")).status).toBe(204);
      await browser.delete("/home/api/session");
    }

    async function forgetOwn(customer: RegisteredCustomer) {
      await browser.login(customer);
      const { body } = await browser.get("/cp/api/profile");
      const { thisDevice } = body as { thisDevice: string };
      expect((await browser.delete(`/cp/api/trusted-devices/${thisDevice}`)).status).toBe(204);
      await browser.delete("/home/api/session");
    }

    async function resetPassword({ username, phone }: RegisteredCustomer) {
      const path = `/home/api/user/${username}/password-reset`;
      await browser.post(`${path}/init`);
      const payload = { newPassword: LONG_ENOUGH, authorizationCode: await latestCode(way, phone) };
      expect((await browser.post(`${path}/confirm`, payload)).status).toBe(200);
    }
  });
});
