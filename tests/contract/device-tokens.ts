import { expect, it, type TestContext } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { LIMITS } from "~/platform/config/limits";
import { ANNA } from "../demo-customers";
import { Browser, needsNoCode } from "./browser";
import { leftOut } from "./left-out";
import type { Way } from "./way";

const TRUSTED = LIMITS.TRUSTED_DEVICE_DAYS * 24 * 3600;
const HOUR = 3600;

/** A trusted device whose cookie changes at each sign-in (S42). A backend may keep it the same. */
export function deviceTokenPromises(way: () => Way): void {
  const devices = async (browser: Browser) =>
    CALLS.profile.response.parse((await browser.get("/cp/api/profile")).body).trustedDevices;
  /** The cookies that identify the browser and its device, without the session. */
  const identity = (browser: Browser) => {
    const nobody = new Browser(way());
    nobody.identifyAs(browser);
    return [...nobody.cookies].map((pair) => pair.join("=")).sort();
  };

  /** The customer's only trusted device, and a copy of it from before its last sign-in. */
  const trusted = async (context: TestContext) => {
    const browser = new Browser(way());
    await browser.signIn(ANNA);
    await browser.delete("/cp/api/trusted-devices");
    await browser.signIn(ANNA, "Y");
    await browser.delete("/home/api/session");
    const before = browser.twin();
    expect(await needsNoCode(browser, ANNA)).toBe(true);
    if (identity(browser).join() === identity(before).join())
      leftOut(way(), context, "a trusted device's cookie doesn't change when it is used");
    return { browser, before };
  };

  it("[S42] the cookie changes at each sign-in, and lasts for what remains of the trust", async (context) => {
    const { browser } = await trusted(context);
    const listed = await devices(browser);
    expect(listed).toHaveLength(1);
    const known = identity(browser).join();
    await browser.delete("/home/api/session");
    const { setCookies } = await browser.login(ANNA);
    const ages = setCookies.flatMap((line) => /max-age=(\d+)/i.exec(line)?.[1] ?? []).map(Number);
    expect(identity(browser).join()).not.toBe(known);
    expect(ages).toHaveLength(1);
    for (const age of ages) {
      expect(age).toBeGreaterThan(TRUSTED - HOUR);
      expect(age).toBeLessThanOrEqual(TRUSTED);
    }
    expect(await devices(browser)).toEqual(listed);
  });

  it("[S42] the previous cookie stays good until the new one is used: an answer may get lost", async (context) => {
    const { before } = await trusted(context);
    expect(await needsNoCode(before, ANNA)).toBe(true);
    await before.delete("/home/api/session");
    expect(await needsNoCode(before, ANNA)).toBe(true);
    expect(await devices(before)).toHaveLength(1);
  });

  it("[S42] two tabs that sign in at once both get in, and the device stays trusted", async (context) => {
    const { browser } = await trusted(context);
    await browser.delete("/home/api/session");
    const tabs = [browser.twin(), browser.twin()];
    expect(await Promise.all(tabs.map((tab) => needsNoCode(tab, ANNA)))).toEqual([true, true]);
    for (const tab of tabs) expect(await needsNoCode(tab, ANNA)).toBe(true);
  });

  it("[S42] an old copy that is used later is asked for a code, and so is the device from then on", async (context) => {
    const { browser, before } = await trusted(context);
    await browser.delete("/home/api/session");
    expect(await needsNoCode(browser, ANNA)).toBe(true);
    expect(await needsNoCode(before, ANNA)).toBe(false);
    expect(await devices(browser)).toEqual([]);
    await browser.delete("/home/api/session");
    expect(await needsNoCode(browser, ANNA)).toBe(false);
  });
}
