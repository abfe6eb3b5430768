import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { localPath } from "~/visit/browser.server";

describe("a way back", () => {
  it.each([
    ["/home", "/home"],
    ["/", "/"],
    ["/home/register", "/home/register"],
    ["/cp/profile?document-password-save-result=create", "/cp/profile?document-password-save-result=create"],
    ["/home?index#content", "/home?index"],
    ["/nie-ma/żółw", "/nie-ma/%C5%BC%C3%B3%C5%82w"],
    ["/home/../cp", "/cp"],
    ["/https://evil.example", "/https://evil.example"],
    ["/home\r\nSet-Cookie: session=evil", "/homeSet-Cookie:%20session=evil"],
  ])("%j leads to %j", (typed, path) => {
    expect(localPath(typed)).toBe(path);
  });

  it.each([
    null,
    "",
    "home",
    "https://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "data:text/html,evil",
    "//evil.example",
    "///evil.example",
    "////evil.example/",
    "/\\evil.example",
    "\\/evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n/evil.example",
    "/\t\\evil.example",
    "\t//evil.example",
    " //evil.example",
    " /home",
    "/.//evil.example",
    "/..//evil.example",
    "/home/..//evil.example",
    "/./\\evil.example",
    "/%2e//evil.example",
    "//evil.example:443/home",
    "//user@evil.example",
    "//[::1]/",
    "//evil.example%00.portal.example",
    "?back=/home",
    "#content",
  ])("[S58] %j leads nowhere", (typed) => {
    expect(localPath(typed)).toBeUndefined();
  });

  it("[S58] never leaves the portal, for any input", () => {
    const parts = fc.constantFrom(
      "/",
      "\\",
      ".",
      "..",
      "\t",
      "\n",
      "%2e",
      "%5c",
      "@",
      ":",
      "evil.example",
      "?",
      "#",
    );
    const typed = fc.oneof(
      fc.array(parts).map((some) => `/${some.join("")}`),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(typed, (address) => {
        const path = localPath(address);
        if (path === undefined) return;
        expect(new URL(path, "https://portal.example/language/en").origin).toBe("https://portal.example");
        expect(path).toMatch(/^\/[\x21-\x7e]*$/);
      }),
    );
  });
});
