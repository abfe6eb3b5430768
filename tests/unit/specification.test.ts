import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { CALLS } from "~/contract/calls.server";
import { CATALOGUE_CODES } from "~/contract/errors";
import { MAX_TEXT_LENGTH, PASSWORD_LENGTH, USERNAME_LENGTH } from "~/contract/rules";
import { LIMITS } from "~/platform/limits";
import { ROWS } from "./specification-rows";

const TESTS = fileURLToPath(new URL("..", import.meta.url));

/** All tests as they are written, but for this list. */
const sources = readdirSync(TESTS, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.(test|spec)\.tsx?$|^contract\/.*\.ts$/.test(path) && !path.includes("specification"))
  .map((path) => readFileSync(join(TESTS, path), "utf8"))
  .join("\n");

describe("every row of the specification is the promise of a test", () => {
  it.each(ROWS)("%s: “%s”", (_, titled) => {
    expect(sources).toContain(titled);
  });
});

describe("what the specification lists is what there is", () => {
  it("§7 the calls", () => {
    const paths = Object.values(CALLS).map(({ method, path }) => `${method} ${path}`);
    const user = (call: string) => `POST /home/api/user/${call}`;
    expect(paths).toEqual(
      expect.arrayContaining([
        "POST /home/api/auth/login",
        user("init"),
        "DELETE /home/api/session",
        "GET /home/api/user/info",
        user("register/init"),
        user("register/confirm"),
        user("{username}/password-reset/init"),
        user("{username}/password-reset/confirm"),
        user("{username}/login-change/init"),
        user("{username}/login-change/confirm"),
        user("login-remind/init"),
        user("login-remind/confirm"),
        user("activate-session/init"),
        user("activate-session/confirm"),
        "PUT /cp/api/doc-pwd/{mode}/init",
        "PUT /cp/api/doc-pwd/{mode}/confirm",
      ]),
    );
  });

  it("§8 the codes", () => {
    const codes = ["014", "015", "105", "106", "108", "016", "007", "010", "012", "013", "101"];
    expect([...CATALOGUE_CODES].sort()).toEqual(codes.sort());
  });

  it("§9 the constants", () => {
    expect({ PASSWORD_LENGTH, USERNAME_LENGTH, MAX_TEXT_LENGTH }).toEqual({
      PASSWORD_LENGTH: { min: 12, max: 50 },
      USERNAME_LENGTH: { min: 5, max: 50 },
      MAX_TEXT_LENGTH: 4000,
    });
    expect(LIMITS).toMatchObject({
      USERNAME_CHANGES: 3,
      USERNAME_CHANGE_DAYS: 30,
      TRUSTED_DEVICE_DAYS: 30,
      COOKIE_CONSENT_SECONDS: 2_592_000,
      RESEND_THROTTLE_MS: 1000,
    });
  });
});
