import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, errorCodeOf } from "../../../../contract/browser";
import { onEachDatabase } from "../../../../database";
import { ANNA } from "../../../../demo-customers";
import { openTestBackend, type TestBackend } from "../../../../unit/backend/test-backend";

const MINUTE = 60_000;
/** The strangers come back so often, and so many of them. */
const EVERY_MINUTES = 6;
const STRANGERS = 6;
const HOURS_2 = 120;

const RESET = `/home/api/user/${ANNA.username}/password-reset`;
const REMIND = "/home/api/user/login-remind";
const WRONG = { username: ANNA.username, password: "Niedobre-Haslo-2026" };

onEachDatabase((kind) => {
  let way: TestBackend;
  let home: Browser;
  const owner = { ...ANNA };
  beforeEach(async () => {
    way = await openTestBackend({ kind, limits: defaultLimits("production") });
    home = new Browser(way, "198.51.100.1");
    Object.assign(owner, ANNA);
    await home.signIn(owner);
  });
  afterEach(() => way.close());

  it("[S107] in a day of attack from 500 addresses, a known browser signs in, resets and is reminded", async () => {
    let keptOut = 0;
    for (let minute = 0; minute < 24 * 60; minute += EVERY_MINUTES) {
      await attack(minute);
      if (minute % HOURS_2 === 0) await act(minute / HOURS_2);
      else if (minute % HOURS_2 === HOURS_2 / 2)
        keptOut += errorCodeOf(await new Browser(way, "203.0.113.7").login(owner)) === "106" ? 1 : 0;
      way.advance(EVERY_MINUTES * MINUTE);
    }
    // The attack works: all day, the right password was refused in any other browser.
    expect(keptOut).toBe(12);
  });

  async function attack(minute: number): Promise<void> {
    for (let nth = 0; nth < STRANGERS; nth += 1) {
      const stranger = new Browser(
        way,
        `203.0.${(minute * STRANGERS + nth) % 2}.${(minute + nth * 41) % 250}`,
      );
      await stranger.login(WRONG);
      await stranger.post(`${RESET}/init`);
      await stranger.post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
      const guess = { policyNo: ANNA.policyNo, authorizationCode: "000000" };
      await stranger.post(`${REMIND}/confirm`, guess);
    }
  }

  /** In turn: a sign-in, a reset, a reminder. */
  async function act(nth: number): Promise<void> {
    if (nth % 3 === 0) return home.signIn(owner);
    if (nth % 3 === 1) return reset(`Nowe-Haslo-2026-${nth}`);
    await home.post(`${REMIND}/init`, { policyNo: ANNA.policyNo });
    const payload = { policyNo: ANNA.policyNo, authorizationCode: await latestCode(way, ANNA.phone) };
    expect((await home.post(`${REMIND}/confirm`, payload)).body).toEqual({ username: ANNA.username });
  }

  async function reset(newPassword: string): Promise<void> {
    await home.post(`${RESET}/init`);
    const payload = { newPassword, authorizationCode: await latestCode(way, ANNA.phone) };
    expect((await home.post(`${RESET}/confirm`, payload)).status).toBe(200);
    owner.password = newPassword;
    expect((await home.login(owner)).status).toBe(200);
    expect((await home.get("/cp/api/profile")).status).toBe(200);
  }
});
