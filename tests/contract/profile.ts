import { expect, it, type TestContext } from "vitest";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import { ANNA, freshCustomer, PIOTR } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { leftOut } from "./left-out";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

const MINUTE = 60_000;
/** A Polish number without its country code. */
const NINE_DIGITS = 9;
const OTHER_PASSWORD = "Jeszcze-Nowsze-2";

type Profile = CallResponse<"profile">;

/** The part of My Data that a backend may leave out: where codes go, the previous sign-in, which device this is. */
export function profilePromises(way: () => Way): void {
  const profileOf = async (browser: Browser): Promise<Profile> => {
    const { status, body } = await browser.get("/cp/api/profile");
    expect(status).toBe(200);
    return CALLS.profile.response.parse(body);
  };
  const lastSignIn = async (browser: Browser, context: TestContext) =>
    (await profileOf(browser)).lastSignIn ??
    leftOut(way(), context, "the backend doesn't say when the previous sign-in was");

  it("[S6] the phone number is masked: only its last three digits are given", async (context) => {
    const browser = new Browser(way());
    await browser.signIn(ANNA);
    const { phone } = await profileOf(browser);
    if (phone === undefined) leftOut(way(), context, "the backend doesn't say where codes go");
    const { body } = await browser.get("/cp/api/profile");
    expect(body).toMatchObject({ phone: expect.stringMatching(/^[• ]{1,16}\d{3}$/) as string });
    expect(phone.slice(-3)).toBe(ANNA.phone.slice(-3));
    const told = JSON.stringify(body).replaceAll(/\s/g, "");
    for (const number of [ANNA.phone, ANNA.phone.slice(-NINE_DIGITS)]) expect(told).not.toContain(number);
  });

  it("the previous sign-in is the one before this session's, even after a password change", async (context) => {
    const customer = freshCustomer(33);
    const { browser: first, username } = await register(way(), customer);
    expect(await profileOf(first)).not.toHaveProperty("lastSignIn");
    const account = { ...customer, username, password: NEW_PASSWORD };
    way().advance?.(MINUTE);
    const browser = new Browser(way());
    await browser.signIn(account);
    const told = await lastSignIn(browser, context);
    expect(await profileOf(first)).not.toHaveProperty("lastSignIn");

    way().advance?.(MINUTE);
    const path = `/home/api/user/${username}/password-reset`;
    await browser.post(`${path}/init`);
    const authorizationCode = await latestCode(way(), customer.phone);
    const payload = { authorizationCode, newPassword: OTHER_PASSWORD };
    expect((await browser.post(`${path}/confirm`, payload)).status).toBe(200);
    expect(await lastSignIn(browser, context)).toEqual(told);

    way().advance?.(MINUTE);
    const next = new Browser(way());
    await next.signIn({ ...account, password: OTHER_PASSWORD });
    const later = await lastSignIn(next, context);
    const passed = Date.parse(later.at) - Date.parse(told.at);
    // A server whose clock can't be moved may tell whole seconds.
    expect(passed).toBeGreaterThanOrEqual(way().advance ? MINUTE : 0);
  });

  it("a browser is told which trusted device it is, and only for its own customer", async (context) => {
    const [trusted, other] = [new Browser(way()), new Browser(way())];
    await trusted.signIn(ANNA, "Y");
    await other.signIn(ANNA);
    const { thisDevice, trustedDevices } = await profileOf(trusted);
    if (thisDevice === undefined) leftOut(way(), context, "the backend doesn't say which device this is");
    expect(trustedDevices.map(({ id }) => id)).toContain(thisDevice);
    expect(await profileOf(other)).not.toHaveProperty("thisDevice");

    await trusted.delete("/home/api/session");
    await trusted.signIn(PIOTR);
    expect(await profileOf(trusted)).not.toHaveProperty("thisDevice");
  });
}
