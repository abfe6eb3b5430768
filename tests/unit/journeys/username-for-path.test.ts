import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { usernameForPath } from "~/journeys/reset-password/reset-password-init";

describe("a username in an address", () => {
  it.each([
    ["anna.nowak", "anna.nowak"],
    ["  Anna.Nowak ", "Anna.Nowak"],
    ["żółw1@-_", "żółw1@-_"],
  ])("%j goes in as %j", (typed, name) => {
    expect(usernameForPath(typed)).toBe(name);
  });

  it.each([
    ".",
    "..",
    "....",
    "/",
    "a/../b",
    "\\",
    "anna\0nowak",
    "%2e%2e",
    "a".repeat(4000),
    "\ud800",
    "",
    "👍",
  ])(
    "[S66] %j, which can't be a username, always becomes the same twenty digits, which can't be one either",
    (typed) => {
      expect(usernameForPath(typed)).toMatch(/^\d{20}$/);
      expect(usernameForPath(typed)).toBe(usernameForPath(` ${typed} `));
    },
  );

  it("always survives being put into a path", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (typed) => {
        const name = usernameForPath(typed);
        const { pathname } = new URL(
          `http://backend.invalid/home/api/user/${encodeURIComponent(name)}/password-reset/init`,
        );
        expect(decodeURIComponent(pathname.split("/")[4] ?? "")).toBe(name);
      }),
    );
  });
});
