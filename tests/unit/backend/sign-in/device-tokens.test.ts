import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Passwords } from "~/backend/secrets/passwords.server";
import { defaultLimits, LIMITS } from "~/platform/config/limits";
import { needsNoCode, type Answer, type Browser } from "../../../contract/browser";
import { onRacingDatabase } from "../../../database";
import { ANNA, PIOTR } from "../../../demo-customers";
import { fifty, openTestBackend, type TestBackend } from "../test-backend";
import { tokenOf, trustedBrowser, withToken } from "./trusted-browser";

const FAMILY_CHARACTERS = 21;
const DAY = 24 * 60 * 60_000;
const TRUSTED = LIMITS.TRUSTED_DEVICE_DAYS * DAY;

onRacingDatabase((kind) => {
  describe("[S42] a trusted device's token", () => {
    let way: TestBackend;
    beforeEach(async () => {
      // Fifty sign-ins at once count as fifty tries, and most would rightly be refused.
      way = await openTestBackend({ kind, limits: { ...defaultLimits("demo"), PASSWORD_TRIES: 100 } });
    });
    afterEach(async () => {
      vi.restoreAllMocks();
      await way.close();
    });

    const ageIn = ({ setCookies }: Answer) =>
      setCookies.flatMap((line) => /^trusted-device=.*Max-Age=(\d+)/.exec(line)?.[1] ?? []).map(Number);
    const rows = () => way.query("select id, trusted_at, ends_at from trusted_devices order by id");
    const audited = async () =>
      (await way.query("select event from audit_events order by id")).map(({ event }) => event);
    const told = async (browser: Browser) => {
      const { body } = await browser.get("/cp/api/activity");
      return (body as { events: { event: string }[] }).events.map(({ event }) => event);
    };

    it("fifty sign-ins at once with the same one all succeed, and get the same new one", async () => {
      const browser = await trustedBrowser(way);
      const tabs = await fifty(() => Promise.resolve(withToken(browser, tokenOf(browser))));
      expect(await Promise.all(tabs.map((tab) => needsNoCode(tab, ANNA)))).toEqual(tabs.map(() => true));
      expect(new Set(tabs.map(tokenOf)).size).toBe(1);
      expect(tabs.map(tokenOf)).not.toContain(tokenOf(browser));
      expect(await audited()).not.toContain("device-replayed");
      for (const tab of tabs.slice(0, 1)) expect(await needsNoCode(tab, ANNA)).toBe(true);
    });

    it("fifty replays at once end the device once, let nobody in, and show in the activity", async () => {
      const browser = await trustedBrowser(way);
      const old = tokenOf(browser);
      for (let nth = 0; nth < 2; nth += 1) expect(await needsNoCode(browser, ANNA)).toBe(true);
      expect(await fifty(() => needsNoCode(withToken(browser, old), ANNA))).not.toContain(true);
      expect(await rows()).toEqual([]);
      expect((await audited()).filter((event) => event === "device-replayed")).toHaveLength(1);
      expect((await told(browser))[0]).toBe("device-removed");
    });

    it("of the right family with another end is a replay", async () => {
      const browser = await trustedBrowser(way);
      expect(await needsNoCode(browser, ANNA)).toBe(true);
      const forged = tokenOf(browser).slice(0, FAMILY_CHARACTERS) + randomBytes(32).toString("base64url");
      expect(await needsNoCode(withToken(browser, forged.slice(0, 43)), ANNA)).toBe(false);
      expect(await rows()).toEqual([]);
    });

    it("of another family, or of somebody else, is no replay and ends nothing", async () => {
      const browser = await trustedBrowser(way);
      const others = await trustedBrowser(way, PIOTR);
      const foreign = withToken(browser, tokenOf(others));
      expect(await needsNoCode(foreign, ANNA)).toBe(false);
      expect(await needsNoCode(withToken(browser, randomBytes(32).toString("base64url")), ANNA)).toBe(false);
      expect(tokenOf(foreign)).toBe(tokenOf(others));
      expect(await rows()).toHaveLength(2);
      expect(await needsNoCode(browser, ANNA)).toBe(true);
      expect(await needsNoCode(others, PIOTR)).toBe(true);
    });

    it("is not changed, and no replay ends a device, for callers who don't know the password", async () => {
      const browser = await trustedBrowser(way);
      const old = tokenOf(browser);
      for (let nth = 0; nth < 2; nth += 1) expect(await needsNoCode(browser, ANNA)).toBe(true);
      const before = await way.query("select * from trusted_devices");
      for (const value of [old, tokenOf(browser)]) {
        const thief = withToken(browser, value);
        expect((await thief.login({ ...ANNA, password: "Nie-To-Haslo-1" })).status).toBe(400);
        expect(tokenOf(thief)).toBe(value);
      }
      expect(await way.query("select * from trusted_devices")).toEqual(before);
      expect(await needsNoCode(browser, ANNA)).toBe(true);
    });

    it("asks for a code if the device is removed in the middle of its sign-in", async () => {
      const browser = await trustedBrowser(way);
      const removes = vi.spyOn(Passwords.prototype, "verify").mockImplementationOnce(async () => {
        await way.change("delete from trusted_devices");
        return "right";
      });
      expect((await browser.login(ANNA)).status).toBe(200);
      expect(removes).toHaveBeenCalledOnce();
      expect((await browser.post("/home/api/user/init")).status).toBe(409);
      expect(await audited()).not.toContain("device-replayed");
    });

    it("of a replay doesn't make its browser the trusted device that My Data shows", async () => {
      const browser = await trustedBrowser(way);
      const old = tokenOf(browser);
      for (let nth = 0; nth < 2; nth += 1) expect(await needsNoCode(browser, ANNA)).toBe(true);
      expect((await browser.get("/cp/api/profile")).body).toHaveProperty("thisDevice");
      const copy = browser.twin();
      copy.cookies.set("trusted-device", old);
      expect((await copy.get("/cp/api/profile")).body).not.toHaveProperty("thisDevice");
    });

    it("works until its last moment, however often it changed", async () => {
      const browser = await trustedBrowser(way);
      way.advance(TRUSTED - DAY);
      expect(await needsNoCode(browser, ANNA)).toBe(true);
      way.advance(DAY - 1);
      expect(ageIn(await browser.login(ANNA))).toEqual([1]);
      way.advance(1);
      expect(await needsNoCode(browser, ANNA)).toBe(false);
    });
  });
});
