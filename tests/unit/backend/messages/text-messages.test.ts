import { describe, expect, it } from "vitest";
import { isReachable } from "~/backend/messages/sms-reach.server";
import { smsapiGateway } from "~/backend/messages/smsapi.server";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, messagesTo } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { startSmsapiServer } from "../../../smsapi-server";
import { WAITING_SMS } from "../../../waiting";
import { fifty, openTestBackend } from "../test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("text messages", () => {
  it("[S27] to one number are limited to 8 in ten minutes and 30 a day", async () => {
    const way = await openTestBackend({ limits: defaultLimits("production") });
    const browser = new Browser(way);
    const askTimes = async (times: number) => {
      const seen: number[] = [];
      for (let nth = 0; nth < times; nth += 1) {
        await browser.login(ANNA);
        seen.push((await browser.askForCode({ resend: true })).status);
        way.advance(2 * SECOND);
      }
      return seen.filter((status) => status === 200).length;
    };
    expect(await askTimes(10)).toBe(8);
    for (const sent of [8, 8, 6, 0]) {
      way.advance(10 * MINUTE);
      expect(await askTimes(10)).toBe(sent);
    }
    expect(await messagesTo(way, ANNA.phone)).toBe(30);
    way.advance(24 * HOUR);
    expect(await askTimes(1)).toBe(1);
    await way.close();
  });

  it("[S27] are limited per address and in total, even fifty at once", async () => {
    const perAddress = await openTestBackend({
      limits: { ...defaultLimits("demo"), ADDRESS_CODES_PER_10_MINUTES: 7 },
    });
    const inAll = await openTestBackend({
      limits: { ...defaultLimits("demo"), SMS_KNOWN_TOTAL_PER_HOUR: 9 },
    });
    for (const [way, most] of [
      [perAddress, 7],
      [inAll, 9],
    ] as const) {
      const browser = new Browser(way, "203.0.113.5");
      await browser.login(ANNA);
      // Fifty browsers of one person, which share a session but have no browser cookie.
      const answers = await fifty(() => {
        const twin = browser.twin();
        twin.cookies.delete("browser");
        return twin.askForCode();
      });
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(most);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(50 - most);
      expect(await messagesTo(way, ANNA.phone)).toBe(most);
      await way.close();
    }
  });

  it("[S28] are limited per policyholder, even fifty at once", async () => {
    const limits = {
      ...defaultLimits("demo"),
      SMS_POLICIES_OPEN_PER_DAY: 6,
      SMS_POLICIES_KNOWN_PER_DAY: 3,
    };
    const way = await openTestBackend({ limits });
    const init = "/home/api/user/login-remind/init";
    const visitors = await fifty(() => new Browser(way).post(init, { policyNo: ANNA.policyNo }));
    expect(visitors.map(({ status }) => status)).toEqual(visitors.map(() => 200));
    expect(await messagesTo(way, ANNA.phone)).toBe(6);

    const browser = new Browser(way);
    await browser.login(ANNA);
    const answers = await fifty(() => {
      const twin = browser.twin();
      twin.cookies.delete("browser");
      return twin.askForCode();
    });
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(await messagesTo(way, ANNA.phone)).toBe(9);
    await way.close();
  });

  it("[S27] raise an alarm once an hour when the total cap is reached, and warn before", async () => {
    const way = await openTestBackend({ limits: { ...defaultLimits("demo"), SMS_OPEN_TOTAL_PER_HOUR: 10 } });
    const events = () =>
      way.logged
        .map((line) => JSON.parse(line) as { event?: string; level: string })
        .filter(({ event }) => event?.startsWith("sms-total-cap"))
        .map(({ event, level }) => `${event} ${level}`);
    const ask = () => fifty(() => new Browser(way).post("/home/api/user/login-remind/init", ANNA));
    await ask();
    const once = ["sms-total-cap-near warn", "sms-total-cap-reached error"];
    expect(events()).toEqual(once);
    expect(await messagesTo(way, ANNA.phone)).toBe(10);
    way.advance(HOUR);
    await ask();
    expect(events()).toEqual([...once, ...once]);
    await way.close();
  });

  it("[S29] go to other countries only if those are allowed, and to Poland only if it is", () => {
    expect(isReachable("+447911123456", ["+48", "+44"])).toBe(true);
    expect(isReachable("+447911123456;x", ["+44"])).toBe(false);
    expect(isReachable(ANNA.phone, ["+44"])).toBe(false);
    expect(isReachable("+48700100200", ["+48", "+4"])).toBe(false);
  });

  it("[S32] keep no customer waiting for a silent gateway, and are deleted once it has them", async () => {
    const server = await startSmsapiServer();
    server.behave("silent");
    // Longer than a busy machine takes to answer: a message given up although it was taken would stay in the queue.
    const sms = smsapiGateway({ url: server.url, token: server.token, sender: "Tarnea", timeoutMs: 1500 });
    const way = await openTestBackend({
      sms,
      limits: { ...defaultLimits("production"), SMS_RETRY_SECONDS: 1, SMS_POLL_MS: 20 },
    });
    const browser = new Browser(way);
    await browser.login(ANNA);
    // The test's clock stands still and the gateway never answers, yet the code counts as sent.
    expect((await browser.askForCode()).status).toBe(200);
    expect(await way.query(`select count(*) as waiting from ${WAITING_SMS}`)).toEqual([{ waiting: 1 }]);
    expect(JSON.stringify(await way.query(`select * from ${WAITING_SMS}`))).not.toContain(
      ANNA.phone.slice(3),
    );

    server.behave("documented");
    await expect
      .poll(
        () => {
          way.advance(SECOND);
          return server.sent.length;
        },
        { interval: 20 },
      )
      .toBe(1);
    await expect.poll(() => way.query(`select * from ${WAITING_SMS}`), { interval: 20 }).toEqual([]);
    const code = /#(\d{6})$/.exec(server.sent[0]?.message ?? "")?.[1] ?? "";
    expect((await browser.confirm(code)).status).toBe(200);
    await way.close();
    await server.close();
  });

  it.each(["+447911123456", "+48700100200", "+48800100200", "+4850010", "500100001", "+48500100001;x"])(
    "[S29] are not sent to %s",
    (phone) => {
      expect(isReachable(phone, ["+48"])).toBe(false);
      expect(isReachable(ANNA.phone, ["+48"])).toBe(true);
    },
  );
});
