import { afterAll, beforeAll, expect, it } from "vitest";
import { defaultLimits } from "~/platform/config/limits";
import { Browser, type Answer } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";

const HOLD_MS = 40;
const LIMITS = {
  ...defaultLimits("demo"),
  ADDRESS_SIGN_INS_PER_10_MINUTES: 1,
  ADDRESS_CONFIRMS_PER_10_MINUTES: 1,
  ADDRESS_CODES_PER_10_MINUTES: 1,
};

let way: TestBackend;
beforeAll(async () => {
  way = await openTestBackend({ limits: LIMITS, refusalHoldMs: HOLD_MS });
});
afterAll(() => way.close());

const authorizationCode = "000000";
/** Calls that an address may make only so often. */
const CALLS: Readonly<Record<string, (browser: Browser) => Promise<Answer>>> = {
  "a password": (browser) => browser.login(ANNA),
  "a code": (browser) =>
    browser.post("/home/api/user/login-remind/confirm", { policyNo: ANNA.policyNo, authorizationCode }),
  "asking for a code": (browser) =>
    browser.post("/home/api/user/login-remind/init", { policyNo: ANNA.policyNo }),
};

it.each(Object.entries(CALLS))(
  "[S110] %s beyond an address's limit is refused after a moment only",
  async (_, call) => {
    const first = await call(new Browser(way, "192.0.2.1"));
    expect(first.status).not.toBe(429);
    const began = performance.now();
    expect((await call(new Browser(way, "192.0.2.1"))).status).toBe(429);
    // Node's timers may be a millisecond early.
    expect(performance.now() - began).toBeGreaterThanOrEqual(HOLD_MS - 1);
  },
);
