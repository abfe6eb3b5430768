import { describe, expect, it } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { ANNA, EWA, MARIA, PIOTR, TOMASZ, freshCustomer } from "../demo-customers";
import { Browser, latestCode, messagesTo, type Answer } from "./browser";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

const WRONG = { errorCode: "101" };

/** `auth/login`, `user/*`, `session`, `activate-session/*`, and the calls that a session opens. */
export function signInPromises(way: () => Way): void {
  it("leads from the password and the code to the customer's own policies", async () => {
    const browser = new Browser(way());
    expect(await browser.login(ANNA)).toMatchObject({ status: 200, body: {} });
    expect((await browser.get("/home/api/user/info")).body).toEqual({
      name: ANNA.name,
      username: ANNA.username,
    });
    expect((await browser.post("/home/api/user/init")).status).toBe(409);

    expect(await browser.askForCode()).toMatchObject({ status: 200, body: {} });
    expect(await browser.confirm(await latestCode(way(), ANNA.phone))).toMatchObject({
      status: 200,
      body: {},
    });
    expect(await browser.post("/home/api/user/init")).toMatchObject({ status: 200, body: {} });

    const { body } = await browser.get("/cp/api/policies");
    const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string;
    const policy = {
      policyNo: ANNA.policyNo,
      name: expect.stringMatching(/./) as string,
      validFrom: day,
      validTo: day,
    };
    expect(body).toMatchObject({
      policies: expect.arrayContaining([expect.objectContaining(policy)]) as unknown,
    });
    expect((await browser.get("/cp/api/profile")).body).toMatchObject({
      name: ANNA.name,
      username: ANNA.username,
      documentPassword: false,
      trustedDevices: [],
    });
  });

  it("ignores case and surrounding spaces in a username, never in a password", async () => {
    const browser = new Browser(way());
    expect((await browser.login({ ...ANNA, username: "  Anna.NOWAK " })).status).toBe(200);
    expect((await browser.login({ ...ANNA, password: ` ${ANNA.password}` })).body).toEqual(WRONG);
    expect((await browser.login({ ...ANNA, password: ANNA.password.toLowerCase() })).body).toEqual(WRONG);
  });

  describe("[S1] an account's state is revealed only to callers who know its password", () => {
    it.each([
      ["106, locked by a person", MARIA, "106"],
      ["105, expired", TOMASZ, "105"],
      ["108, disabled", EWA, "108"],
    ])("%s", async (_, customer, errorCode) => {
      const browser = new Browser(way());
      expect(await browser.login(customer)).toMatchObject({ status: 400, body: { errorCode } });
      expect(browser.session).toBeUndefined();
      const wrong = await browser.login({ ...customer, password: "Zupelnie-Inne-1" });
      expect([wrong.status, wrong.body]).toEqual([400, WRONG]);
    });
  });

  it("[S1] answers an unknown username like a wrong password, header by header", async () => {
    const seen = async (username: string) => {
      const { status, body, headers } = await new Browser(way()).login({
        username,
        password: "Zupelnie-Inne-1",
      });
      const masked = [...headers]
        .filter(([name]) => name !== "date" && name !== "x-request-id")
        .map(([name, value]) => [name, name === "set-cookie" ? value.replace(/=[^;]*/, "=…") : value]);
      return { status, body, masked };
    };
    const wrong = await seen(MARIA.username);
    for (const unknown of ["nikt.taki", "..", "a/b", "ż".repeat(300), "%00", "💥"])
      expect(await seen(unknown)).toEqual(wrong);
  });

  it("[S34] gives a new session at every change of state; the old one ends at once", async () => {
    const browser = new Browser(way());
    await browser.login(ANNA);
    const first = browser.twin();
    await browser.login(ANNA);
    expect((await first.get("/home/api/user/info")).status).toBe(401);

    const pending = browser.twin();
    await browser.askForCode();
    await browser.confirm(await latestCode(way(), ANNA.phone));
    expect((await pending.get("/home/api/user/info")).status).toBe(401);
    expect((await browser.get("/cp/api/policies")).status).toBe(200);
  });

  it("[S43, S13] lets a trusted device in without a code, for its own customer only", async () => {
    const browser = new Browser(way());
    await browser.signIn(ANNA, "Y");
    const { body } = await browser.get("/cp/api/profile");
    expect(body).toMatchObject({ trustedDevices: [{ deviceName: "Firefox, Linux" }] });
    await browser.delete("/home/api/session");

    const sent = await messagesTo(way(), ANNA.phone);
    await browser.login(ANNA);
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    expect(await messagesTo(way(), ANNA.phone)).toBe(sent);

    await browser.login(PIOTR);
    expect((await browser.post("/home/api/user/init")).status).toBe(409);
  });

  it("keeps the cookie of a trusted device as long as its trust, and sets none unless asked", async () => {
    const browser = new Browser(way());
    await browser.login(ANNA);
    await browser.askForCode();
    const trusted = await browser.confirm(await latestCode(way(), ANNA.phone), "Y");

    const other = new Browser(way());
    await other.signIn(ANNA, "N");
    const own = trusted.setCookies.filter((line) => !other.cookies.has(line.slice(0, line.indexOf("="))));
    const age = LIMITS.TRUSTED_DEVICE_DAYS * 24 * 60 * 60;
    expect(own).toEqual([expect.stringMatching(new RegExp(`^[^;]{16,}; (.*; )?Max-Age=${age}(;|$)`, "i"))]);
    expect(other.cookies.size).toBe(browser.cookies.size - 1);
  });

  it("[S9, S124] four wrong passwords are 101; the fifth is 106 with a wait, and so is the right one after it", async () => {
    const { username } = await register(way(), freshCustomer(5));
    const browser = new Browser(way());
    const tries: Answer[] = [];
    for (let wrong = 1; wrong <= 5; wrong += 1)
      tries.push(await browser.login({ username, password: `Nie-To-Haslo-${wrong}` }));
    // The last but one may say that one is left.
    for (const { body } of tries.slice(0, 4)) expect(body).toMatchObject(WRONG);
    const afterwards = await new Browser(way()).login({ username, password: NEW_PASSWORD });
    for (const locked of [...tries.slice(4), afterwards]) {
      expect(locked).toMatchObject({ status: 400, body: { errorCode: "106" } });
      const { retryAfterSeconds } = locked.body as { retryAfterSeconds: number };
      expect(retryAfterSeconds).toBeGreaterThan(14 * 60);
      expect(retryAfterSeconds).toBeLessThanOrEqual(15 * 60);
    }
  });

  it("[S1, S124] an unknown username is locked in the same way", async () => {
    const nobody = { username: "nikt.nigdy", password: "Nie-To-Haslo-1" };
    for (let wrong = 1; wrong <= 4; wrong += 1)
      expect((await new Browser(way()).login(nobody)).body).toMatchObject(WRONG);
    for (let again = 5; again <= 6; again += 1)
      expect((await new Browser(way()).login(nobody)).body).toMatchObject({
        errorCode: "106",
        retryAfterSeconds: expect.any(Number) as number,
      });
  });
}
