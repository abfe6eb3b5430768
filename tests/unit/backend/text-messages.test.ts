import { describe, expect, it } from "vitest";
import { isReachable } from "~/backend/sms/gateway.server";
import { defaultLimits } from "~/platform/limits";
import { Browser, messagesTo } from "../../contract/browser";
import { ANNA } from "../../demo-customers";
import { fifty, openTestBackend } from "./test-backend";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

describe("text messages", () => {
  it("[S27] to one number are 8 in ten minutes and 30 a day", async () => {
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

  it("[S27] from one address, and all together, are limited, fifty at once too", async () => {
    const perAddress = await openTestBackend({
      limits: { ...defaultLimits("demo"), ADDRESS_CODES_PER_10_MINUTES: 7 },
    });
    const inAll = await openTestBackend({ limits: { ...defaultLimits("demo"), SMS_TOTAL_PER_HOUR: 9 } });
    for (const [way, most] of [
      [perAddress, 7],
      [inAll, 9],
    ] as const) {
      const browser = new Browser(way, "203.0.113.5");
      await browser.login(ANNA);
      // Fifty browsers of one person: a session, and no cookie that they are known by.
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

  it.each(["+447911123456", "+48700100200", "+48800100200", "+4850010", "500100001", "+48500100001;x"])(
    "[S29] are not sent to %s",
    (phone) => {
      expect(isReachable(phone)).toBe(false);
      expect(isReachable(ANNA.phone)).toBe(true);
    },
  );
});
