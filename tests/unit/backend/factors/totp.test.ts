import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { fromBase32, toBase32 } from "~/backend/secrets/base32.server";
import { codeOfStep, newSecret, otpauthUri, stepAt, stepOfCode } from "~/backend/factors/totp.server";

/** RFC 6238, appendix B: the SHA-1 rows, with the last six of their eight digits. */
const VECTORS = [
  [59, "287082"],
  [1_111_111_109, "081804"],
  [1_111_111_111, "050471"],
  [1_234_567_890, "005924"],
  [2_000_000_000, "279037"],
  [20_000_000_000, "353130"],
] as const;
const RFC_SECRET = toBase32(Buffer.from("12345678901234567890"));

describe("the code of an authenticator app", () => {
  it.each(VECTORS)("[S129] is that of RFC 6238 at %i s: %s", (seconds, code) => {
    expect(codeOfStep(RFC_SECRET, stepAt(seconds * 1000))).toBe(code);
  });

  it("[S129] is the one that oathtool shows for the same secret", () => {
    for (const seconds of [0, 1_700_000_000, 1_764_000_000]) {
      const secret = newSecret();
      const at = new Date(seconds * 1000).toISOString().replace("T", " ").replace(".000Z", " UTC");
      const shown = execFileSync("oathtool", ["--totp", "--base32", "--now", at, secret], {
        encoding: "utf8",
      });
      expect(codeOfStep(secret, stepAt(seconds * 1000))).toBe(shown.trim());
    }
  });

  it("[S129] is right in its step, the one before and the one after, and in no other", () => {
    const now = 1_764_000_015_000;
    const steps = [-2, -1, 0, 1, 2].map((away) =>
      stepOfCode(RFC_SECRET, codeOfStep(RFC_SECRET, stepAt(now) + away), now),
    );
    expect(steps).toEqual([undefined, stepAt(now) - 1, stepAt(now), stepAt(now) + 1, undefined]);
  });

  it("has a secret of 160 random bits, in 32 characters of base32 that read back", () => {
    const secrets = Array.from({ length: 50 }, newSecret);
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(new Set(secrets).size).toBe(50);
    expect(secrets.map((secret) => toBase32(fromBase32(secret)))).toEqual(secrets);
  });

  it("goes into an app by an address that keeps spaces and Polish letters", () => {
    expect(otpauthUri("Żółw & Syn", "anna.nowak@x", "ABC")).toBe(
      "otpauth://totp/%C5%BB%C3%B3%C5%82w%20%26%20Syn:anna.nowak%40x?secret=ABC&issuer=%C5%BB%C3%B3%C5%82w%20%26%20Syn&algorithm=SHA1&digits=6&period=30",
    );
  });
});
