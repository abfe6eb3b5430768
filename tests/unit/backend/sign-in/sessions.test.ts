import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Browser, latestCode } from "../../../contract/browser";
import { LIMITS } from "~/platform/config/limits";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;
const TRUSTED = LIMITS.TRUSTED_DEVICE_DAYS * DAY;

describe("a session", () => {
  let way: TestBackend;
  let browser: Browser;
  beforeEach(async () => {
    way = await openTestBackend();
    browser = new Browser(way);
  });
  afterEach(() => way.close());

  const status = async () => (await browser.get("/cp/api/policies")).status;

  it("[S36] ends after 15 minutes without a request, and not a moment sooner", async () => {
    await browser.signIn(ANNA);
    way.advance(15 * MINUTE - 1);
    expect(await status()).toBe(200);
    way.advance(15 * MINUTE);
    expect(await status()).toBe(401);
    expect(await way.query("select * from sessions")).toEqual([]);
  });

  it("[S36] ends 8 hours after the password, however active it is", async () => {
    await browser.login(ANNA);
    way.advance(5 * MINUTE);
    await browser.askForCode();
    await browser.confirm(await latestCode(way, ANNA.phone));
    for (let minutes = 5; minutes < 8 * 60 - 10; minutes += 10) {
      way.advance(10 * MINUTE);
      expect(await status()).toBe(200);
    }
    way.advance(5 * MINUTE - 1);
    expect(await status()).toBe(200);
    way.advance(1);
    expect(await status()).toBe(401);
  });

  it("[S36] ends after 15 minutes while it waits for its code, too", async () => {
    await browser.login(ANNA);
    way.advance(15 * MINUTE);
    expect((await browser.askForCode()).status).toBe(401);
  });

  it("is marked as used at most once a second", async () => {
    await browser.signIn(ANNA);
    const seen = async () => Number((await way.query("select last_seen_at from sessions"))[0]?.last_seen_at);
    const before = await seen();
    way.advance(SECOND - 1);
    await status();
    expect(await seen()).toBe(before);
    way.advance(1);
    await status();
    expect(await seen()).toBe(before + SECOND);
  });

  it.each(["locked", "expired", "disabled"])("ends when a person sets the account to %s", async (state) => {
    await browser.signIn(ANNA);
    await way.change("update accounts set state = ? where username = ?", state, ANNA.username);
    expect(await status()).toBe(401);
    await way.change("update accounts set state = 'active'");
    expect(await status()).toBe(401);
  });

  it("[S35] survives a crash, and can't be resumed from what is on disk", async () => {
    await browser.signIn(ANNA);
    const restarted = await way.afterCrash();
    const same = new Browser(restarted);
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    expect((await same.get("/cp/api/policies")).status).toBe(200);

    const [row] = await way.query("select id from sessions");
    same.cookies.set("session", String(row?.id));
    expect((await same.get("/cp/api/policies")).status).toBe(401);
    await restarted.close();
  });

  it("[S103] is still pending after a kill between password and code, and the code still works", async () => {
    await browser.login(ANNA);
    await browser.askForCode();
    const code = await latestCode(way, ANNA.phone);
    const restarted = await way.afterCrash();
    const same = new Browser(restarted);
    for (const [name, value] of browser.cookies) same.cookies.set(name, value);
    expect((await same.get("/cp/api/policies")).status).toBe(409);
    expect((await same.confirm(code)).status).toBe(200);
    expect((await same.get("/cp/api/policies")).status).toBe(200);
    await restarted.close();
  });

  it("[S53] at an https origin has cookies that only this host can set and that are sent only over https", async () => {
    const secure = await openTestBackend({
      publicOrigin: "https://portal.example",
      codeHost: "portal.example",
    });
    const visitor = new Browser(secure);
    const answers = [await visitor.login(ANNA), await visitor.askForCode()];
    const code = await latestCode(secure, ANNA.phone);
    answers.push(await visitor.confirm(code, "Y"));
    const lines = answers.flatMap(({ setCookies }) => setCookies);
    const secureLine =
      /^__Host-(session|browser|trusted-device)=[\w-]{43}(; Max-Age=\d+)?; Path=\/; HttpOnly; SameSite=Lax; Secure$/;
    expect(lines).toHaveLength(5);
    for (const line of lines) expect(line).toMatch(secureLine);
    expect((await secure.outbox())[0]?.text).toMatch(new RegExp(`\n\n@portal.example #${code}$`));
    await secure.close();
  });
});

describe("a trusted device", () => {
  let way: TestBackend;
  beforeEach(async () => {
    way = await openTestBackend();
  });
  afterEach(() => way.close());

  async function needsCode(browser: Browser, customer = ANNA): Promise<boolean> {
    await browser.login(customer);
    return (await browser.post("/home/api/user/init")).status === 409;
  }

  it("[S41] is trusted until its days are over, by the backend's clock and not by the cookie's", async () => {
    const browser = new Browser(way);
    await browser.signIn(ANNA, "Y");
    way.advance(TRUSTED - 1);
    expect(await needsCode(browser)).toBe(false);
    way.advance(1);
    expect(await needsCode(browser)).toBe(true);
    await browser.askForCode();
    await browser.confirm(await latestCode(way, ANNA.phone));
    expect((await browser.get("/cp/api/profile")).body).toMatchObject({ trustedDevices: [] });
  });

  it("[S41] is not trusted by a row copied from disk", async () => {
    const browser = new Browser(way);
    await browser.signIn(ANNA, "Y");
    const thief = new Browser(way);
    thief.cookies.set(
      "trusted-device",
      String((await way.query("select token_hash from trusted_devices"))[0]?.token_hash),
    );
    expect(await needsCode(thief)).toBe(true);
  });
});
