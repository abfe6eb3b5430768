import { describe, expect, it } from "vitest";
import { CONSTANT_LIMITS } from "~/platform/config/constant-limits";
import { readEnvironment } from "~/platform/config/environment.server";
import {
  COOKIE_LIFETIMES,
  LIMITS,
  SETTABLE_LIMITS,
  ORDERED_LIMITS,
  defaultLimits,
  type SettableLimit,
  largest,
} from "~/platform/config/limits";

const problemsOf = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? [] : reading.problems;
};
const limitsOf = (source: Readonly<Record<string, string>>) => {
  const reading = readEnvironment(source);
  return reading.ok ? reading.environment.limits : reading.problems;
};

describe("each limit", () => {
  it.each(SETTABLE_LIMITS)("%s can be changed by its variable", (name) => {
    const value = Math.min(defaultLimits("demo")[name] + 1, largest(name));
    expect(limitsOf({ [`LIMIT_${name}`]: String(value) })).toEqual({
      ...defaultLimits("demo"),
      [name]: value,
    });
  });

  it.each(["0", "-1", "1.5", "1e3", " ", "five", "2147483648"])(
    "is a whole number from 1, not %j",
    (value) => {
      expect(problemsOf({ LIMIT_CODE_TRIES: value })).toEqual([
        "LIMIT_CODE_TRIES: expected a whole number from 1 to 2147483647",
      ]);
    },
  );

  it.each(Object.entries(COOKIE_LIFETIMES))(
    "[S53] %s, the lifetime of a cookie, is at most 30 days (§9)",
    (name, unit = 1) => {
      const most = (30 * 86_400) / unit;
      expect(limitsOf({ [`LIMIT_${name}`]: String(most) })).toMatchObject({ [name]: most });
      expect(problemsOf({ [`LIMIT_${name}`]: String(most + 1) })).toEqual([
        `LIMIT_${name}: expected a whole number from 1 to ${most}`,
      ]);
    },
  );

  it.each(["LIMIT_CODE_TRY", "LIMIT_", "LIMIT_toString", "LIMIT_code_tries", "LIMIT_CODE_TRIES_FILE"])(
    "that doesn't exist (%s) stops the start, so that a typo doesn't go unnoticed",
    (name) => {
      expect(problemsOf({ [name]: "7" })).toEqual([`${name}: unknown limit`]);
    },
  );

  it("that has become a constant is promised to all: its variable changes nothing, and stops no start", () => {
    for (const [name, value] of Object.entries(CONSTANT_LIMITS)) {
      const variables = { [`LIMIT_${name}`]: name === "PASSWORD_HISTORY" ? "none" : "1" };
      expect(limitsOf(variables), name).toMatchObject({ [name]: value });
    }
  });

  it.each(ORDERED_LIMITS)("[S122] %s is at most %s as shipped", (lower, upper) => {
    expect(LIMITS[lower]).toBeLessThan(LIMITS[upper]);
  });

  it.each([
    ["LIMIT_LOCK_MAX_SECONDS", "86401", "at most 86400"],
    ["LIMIT_HASH_WAIT_MS", "999", "at least 1000"],
  ])("[S122] %s=%s contradicts a constant", (name, value, expected) => {
    expect(problemsOf({ [name]: value })).toContain(`${name}: expected ${expected}`);
  });

  const isSettable = (name: string): name is SettableLimit => !(name in CONSTANT_LIMITS);
  describe.each(ORDERED_LIMITS.filter((pair) => pair.every(isSettable)))(
    "[S122] %s is at most %s",
    (lower, upper) => {
      const [one, other] = [`LIMIT_${lower}`, `LIMIT_${upper}`] as const;
      const shipped = defaultLimits("demo");

      it("may be the same", () => {
        expect(limitsOf({ [one]: String(shipped[upper]) })).toMatchObject({ [lower]: shipped[upper] });
      });

      it("or the start is refused in one line, which begins with a variable that is set", () => {
        const above = String(shipped[upper] + 1);
        expect(problemsOf({ [one]: above })).toEqual([`${one}: expected at most ${other}`]);
        expect(problemsOf({ [one]: above, [other]: String(shipped[upper]) })).toEqual([
          `${other}: expected at least ${one}`,
        ]);
      });
    },
  );

  it("that protects an account is the same in the demo, where only caps are looser", () => {
    const production = defaultLimits("production");
    expect(production).toEqual(LIMITS);
    const demo = defaultLimits("demo");
    const looser = SETTABLE_LIMITS.filter((name) => demo[name] !== production[name]);
    expect(looser).toEqual([
      "SMS_OPEN_PER_10_MINUTES",
      "SMS_OPEN_PER_DAY",
      "SMS_KNOWN_PER_10_MINUTES",
      "SMS_KNOWN_PER_DAY",
      "SMS_POLICIES_OPEN_PER_DAY",
      "SMS_POLICIES_KNOWN_PER_DAY",
      "SMS_OPEN_TOTAL_PER_HOUR",
      "SMS_KNOWN_TOTAL_PER_HOUR",
      "ADDRESS_SIGN_INS_PER_10_MINUTES",
      "ADDRESS_CONFIRMS_PER_10_MINUTES",
      "ADDRESS_CODES_PER_10_MINUTES",
      "SMS_NOTICES_PER_DAY",
      "SMS_LOCK_NOTICES_PER_DAY",
      "SMS_LOCK_NOTICES_TOTAL_PER_HOUR",
      "MAIL_NOTICES_PER_DAY",
      "MAIL_LOCK_NOTICES_PER_DAY",
      "MAIL_LOCK_NOTICES_TOTAL_PER_HOUR",
      "ADDRESS_CONNECTIONS",
      "DOCUMENTS_PER_HOUR",
    ]);
    for (const name of looser) expect(demo[name]).toBe(production[name] * 25);
  });
});

describe("the limits that the product promises", () => {
  it.each([
    ["a trusted device is trusted for 30 days", LIMITS.TRUSTED_DEVICE_DAYS, 30],
    ["the consent to cookies is kept for 30 days", LIMITS.COOKIE_CONSENT_SECONDS, 2_592_000],
    ["[S53] news of an account are remembered for 30 days", LIMITS.NEWS_SEEN_SECONDS, 2_592_000],
    ["[S53] the offer of a passkey is remembered for 30 days", LIMITS.PASSKEY_OFFER_SECONDS, 2_592_000],
    ["the resend button ignores a second click for a second", LIMITS.RESEND_THROTTLE_MS, 1000],
    ["[S36] a session ends after 15 minutes without a request", LIMITS.SESSION_IDLE_SECONDS, 900],
    ["[S36] a session lasts for 8 hours at most", LIMITS.SESSION_MAX_SECONDS, 28_800],
    ["[S9] the fifth wrong password locks", LIMITS.PASSWORD_TRIES, 5],
    ["[S12] the first lock lasts for 15 minutes", LIMITS.LOCK_SECONDS, 900],
    ["[S12] no lock lasts over 2 hours", LIMITS.LOCK_MAX_SECONDS, 7200],
    ["[S21] the fifth wrong try blocks a code", LIMITS.CODE_TRIES, 5],
    ["[S23] a code lives for 10 minutes", LIMITS.CODE_LIFETIME_SECONDS, 600],
    ["[S154] fifteen wrong codes stop the comparing", LIMITS.FACTOR_TRIES, 15],
    ["[S154] the first stop lasts for an hour", LIMITS.FACTOR_STOP_SECONDS, 3600],
    ["[S154] no stop lasts over a day", LIMITS.FACTOR_STOP_MAX_SECONDS, 86_400],
    ["[S154] a hundred in a row stop it until somebody confirms", LIMITS.FACTOR_WRONG_IN_ROW, 100],
    ["[S63] an API call has 16 KB at most", LIMITS.API_BODY_BYTES, 16_384],
    ["[S63] a form has 64 KB at most", LIMITS.FORM_BODY_BYTES, 65_536],
    ["[S63] a request has 100 header lines at most", LIMITS.HEADER_LINES, 100],
    ["[S104] an address has 2000 characters at most", LIMITS.ADDRESS_CHARACTERS, 2000],
    ["[S104] an address has 16 segments at most", LIMITS.ADDRESS_SEGMENTS, 16],
    ["[S105] there are 10,000 connections at most", LIMITS.CONNECTIONS, 10_000],
    ["[S105] one address has 100 connections at most", LIMITS.ADDRESS_CONNECTIONS, 100],
    ["[S105] a connection has 8 unanswered requests at most", LIMITS.PIPELINED_REQUESTS, 8],
    ["[S110] one address types 60 codes in ten minutes at most", LIMITS.ADDRESS_CONFIRMS_PER_10_MINUTES, 60],
    ["[S114] the hash of a sign-in begins within 3 s of its arrival", LIMITS.HASH_WAIT_MS, 3000],
    ["[S96] a number gets 5 notices a day at most", LIMITS.SMS_NOTICES_PER_DAY, 5],
    ["[S96] a number is told of one lock a day at most", LIMITS.SMS_LOCK_NOTICES_PER_DAY, 1],
    ["[S149] a customer gets one e-mail about a lock a day at most", LIMITS.MAIL_LOCK_NOTICES_PER_DAY, 1],
    ["[S96] a notice is given up after 24 hours", LIMITS.SMS_NOTICE_SECONDS, 86_400],
    ["[S64] a head is complete within 15 s", LIMITS.FIRST_HEAD_MS, 15_000],
    ["[S64] a request is complete within 30 s", LIMITS.REQUEST_MS, 30_000],
  ])("%s", (_promise, limit, promised) => {
    expect(limit).toBe(promised);
  });
});
