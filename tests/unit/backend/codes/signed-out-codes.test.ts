import { describe, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, latestCode, messagesTo, wrongCode, errorCodeOf } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend } from "../test-backend";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

describe("codes requested by signed-out visitors", () => {
  const init = {
    reset: (name: string) => `/home/api/user/${name}/password-reset/init`,
    remind: "/home/api/user/login-remind/init",
  };

  it("[S27, S28, S7] are limited to 4 in ten minutes and 10 a day, for known and unknown usernames alike", async () => {
    for (const name of [ANNA.username, "nikt.taki"]) {
      const way = await openTestBackend({ limits: defaultLimits("production") });
      const ask = async (times: number) => {
        const seen: string[] = [];
        for (let nth = 0; nth < times; nth += 1) {
          const { status, headers } = await new Browser(way).post(init.reset(name));
          seen.push(`${status} ${headers.get("Retry-After") ?? ""}`.trim());
        }
        return seen;
      };
      expect(await ask(6)).toEqual(["200", "200", "200", "200", "429 600", "429 600"]);
      for (const most of [4, 2, 0]) {
        way.advance(10 * MINUTE);
        expect((await ask(5)).filter((status) => status === "200")).toHaveLength(most);
      }
      expect(await messagesTo(way, ANNA.phone)).toBe(name === ANNA.username ? 10 : 0);
      way.advance(DAY);
      expect(await ask(1)).toEqual(["200"]);
      await way.close();
    }
  });

  it("[S27, S3] count together for one phone number, and nothing reveals whose number it is", async () => {
    const way = await openTestBackend({ limits: defaultLimits("production") });
    const browser = new Browser(way);
    for (let nth = 0; nth < 3; nth += 1) await new Browser(way).post(init.reset(ANNA.username));
    for (let nth = 0; nth < 3; nth += 1) {
      expect((await new Browser(way).post(init.remind, { policyNo: ANNA.policyNo })).status).toBe(200);
    }
    expect(await messagesTo(way, ANNA.phone)).toBe(4);

    await browser.post(init.remind, { policyNo: ANNA.policyNo });
    const guess = { authorizationCode: "000000", policyNo: ANNA.policyNo };
    expect(errorCodeOf(await browser.post("/home/api/user/login-remind/confirm", guess))).toBe("007");
    await way.close();
  });

  it("held back by the cap leave the browser's current code valid", async () => {
    const way = await openTestBackend({ limits: { ...defaultLimits("production"), SMS_OPEN_PER_DAY: 3 } });
    const browser = new Browser(way);
    await browser.post(init.remind, { policyNo: ANNA.policyNo });
    const code = await latestCode(way, ANNA.phone);
    for (let nth = 0; nth < 3; nth += 1) await new Browser(way).post(init.reset(ANNA.username));
    way.advance(MINUTE);
    await browser.post(init.remind, { policyNo: ANNA.policyNo, resend: true });
    expect(await messagesTo(way, ANNA.phone)).toBe(3);
    const payload = { authorizationCode: code, policyNo: ANNA.policyNo };
    const wrong = { ...payload, authorizationCode: wrongCode(code) };
    expect(errorCodeOf(await browser.post("/home/api/user/login-remind/confirm", wrong))).toBe("007");
    expect((await browser.post("/home/api/user/login-remind/confirm", payload)).status).toBe(200);
    await way.close();
  });

  it("[S7] held back by the cap count like those for an unknown policy, however they are requested", async () => {
    const way = await openTestBackend({ limits: defaultLimits("production") });
    for (let nth = 0; nth < 3; nth += 1) await new Browser(way).post(init.reset(ANNA.username));
    const browsers = { known: new Browser(way), unknown: new Browser(way) };
    const ask = async () => [
      (await browsers.known.post(init.remind, { policyNo: ANNA.policyNo })).status,
      (await browsers.unknown.post(init.remind, { policyNo: "POL-999999" })).status,
    ];
    await ask();
    expect(await messagesTo(way, ANNA.phone)).toBe(4);
    way.advance(MINUTE);
    for (let nth = 0; nth < 5; nth += 1) expect(await ask()).toEqual([200, 200]);
    await way.close();
  });
});
