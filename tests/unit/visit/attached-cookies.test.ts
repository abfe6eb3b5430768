import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  cookiesForBackend,
  setCookieLineForBrowser,
  setCookieLinesForBrowser,
} from "~/visit/backend-client/attached-cookies";
import { CookieJar } from "~/visit/backend-client/attached-cookies";

const NOON = Date.UTC(2026, 10, 20, 12);
const HTTPS = true;
const HTTP = false;
const line = (text: string, https = HTTP) => setCookieLineForBrowser(text, https, NOON);

describe("[S53] a cookie of an attached backend gets its flags from the customer-facing origin", () => {
  it.each([
    ["session=s; Path=/; HttpOnly; SameSite=Lax"],
    ["__Host-session=s; Path=/; HttpOnly; SameSite=Lax; Secure"],
    ["session=s; Domain=insurer.example; Path=/api; SameSite=None; Secure; Partitioned"],
    ["__host-session=s"],
    ["session = s ;Path=/home/api"],
    ["session=s; path; domain; =; ;;"],
  ])("%s", (text) => {
    expect(line(text, HTTPS)).toBe("__Host-session=s; Path=/; HttpOnly; SameSite=Lax; Secure");
    expect(line(text, HTTP)).toBe("session=s; Path=/; HttpOnly; SameSite=Lax");
  });

  it.each([
    ["a=b; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 60],
    ["a=b; Expires=Fri, 20 Nov 2026 12:01:00 GMT", 60],
    ["a=b; max-age=60; MAX-AGE=90", 90],
    ["a=b; Max-Age=0", 0],
    ["a=b; Max-Age=-1", 0],
    ["a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["a=b; expires=Fri, 20-Nov-2026 11:59:59 GMT", 0],
  ])("%s lives %i seconds", (text, seconds) => {
    expect(line(text)).toBe(`a=b; Max-Age=${seconds}; Path=/; HttpOnly; SameSite=Lax`);
  });

  it.each(["a=b; Max-Age=soon", "a=b; Expires=never", "a=b; Max-Age="])(
    "%s lives until the browser is closed",
    (text) => {
      expect(line(text)).toBe("a=b; Path=/; HttpOnly; SameSite=Lax");
    },
  );

  it("keeps its value unchanged", () => {
    for (const value of ["a=b==", '"quoted"', "a,b", "%zz", "a b", "{}", ""])
      expect(line(`v=${value}`)).toBe(`v=${value}; Path=/; HttpOnly; SameSite=Lax`);
  });

  it.each([
    ["no name", "=value"],
    ["no equals sign", "session"],
    ["no content", ""],
    ["no name but the prefix", "__Host-=value"],
    ["an invalid name", "a b=value"],
    ["a line break", "session=a\r\nSet-Cookie: flow=planted"],
    ["NUL", "session=a\0b"],
    ["characters outside ASCII", "session=zażółć"],
    ["more than 4 KB", `session=${"s".repeat(4090)}`],
  ])("is dropped when it has %s", (_what, text) => {
    expect(line(text, HTTPS)).toBeUndefined();
    expect(line(text, HTTP)).toBeUndefined();
  });

  it("is always one header line", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, https) => {
        const sent = setCookieLineForBrowser(`a=${text}`, https, NOON) ?? "";
        const flags = `; Path=/; HttpOnly; SameSite=Lax${https ? "; Secure" : ""}`;
        expect(sent).not.toMatch(/[^\x20-\x7e]/);
        expect(sent === "" || sent.endsWith(flags)).toBe(true);
        expect(() => new Headers({ "Set-Cookie": sent })).not.toThrow();
      }),
    );
  });
});

describe("many cookies of an attached backend", () => {
  const many = (count: number, size: number) =>
    Array.from({ length: count }, (_, nth) => `c${nth}=${"x".repeat(size)}`);
  const pairOf = (line: string) => line.slice(0, line.indexOf(";"));

  it.each([HTTPS, HTTP])("never make a head too long for servers (over https: %s)", (https) => {
    let header = "";
    for (let nth = 0; nth < 10; nth += 1) {
      const lines = many(100, 500).map((text) => `${nth}${text}`);
      const kept = setCookieLinesForBrowser(lines, header, https, NOON);
      header = [header, ...kept.map(pairOf)].filter((pair) => pair !== "").join("; ");
    }
    expect(header.length).toBeGreaterThan(4000);
    expect(cookiesForBackend(header, https).length).toBeLessThan(14_000);
  });

  it("leave room for changing one and removing one", () => {
    const header = `session=${"s".repeat(3500)}; other=${"o".repeat(2650)}`;
    const renewed = `session=${"t".repeat(3500)}`;
    expect(
      setCookieLinesForBrowser([renewed, "new=1", "other=; Max-Age=0", "newer=1"], header, HTTP, NOON).map(
        pairOf,
      ),
    ).toEqual([renewed, "other=", "newer=1"]);
  });

  it("are read up to the twentieth line", () => {
    expect(setCookieLinesForBrowser(many(100, 1), "", HTTP, NOON)).toHaveLength(20);
  });
});

describe("the browser's cookies go back to the backend", () => {
  it("under the names with and without the prefix, since only the backend knows which one it uses", () => {
    const both = "session=s; __Host-session=s; browser=b; __Host-browser=b";
    expect(cookiesForBackend("session=s; browser=b", HTTP)).toBe(both);
    expect(cookiesForBackend("__Host-session=s; __Host-browser=b", HTTPS)).toBe(both);
  });

  it("[S53] over https, without cookies planted under the bare name from elsewhere on the domain", () => {
    expect(cookiesForBackend("session=planted; _ga=1", HTTPS)).toBe("");
    expect(cookiesForBackend("session=planted; __Host-session=s", HTTPS)).toBe("session=s; __Host-session=s");
  });

  it("unless there are none", () => {
    for (const header of ["", ";", " ; "]) {
      expect(cookiesForBackend(header, HTTPS)).toBe("");
    }
  });

  it.each([HTTPS, HTTP])("unchanged (over https: %s)", (https) => {
    const value = fc.string({ unit: fc.constantFrom("a", "B", "1", "-", "_", "=", ".", "%") });
    fc.assert(
      fc.property(value, fc.constantFrom("session", "__Host-session"), (text, name) => {
        const jar = new CookieJar(null, [], () => undefined);
        jar.set(setCookieLineForBrowser(`${name}=${text}`, https, NOON) ?? "");
        expect(cookiesForBackend(jar.header, https).split("; ")).toContain(`${name}=${text}`);
      }),
    );
  });
});
