import { describe, expect, it } from "vitest";
import { withVariables } from "~/platform/config/environment.server";
import { LIMITS } from "~/platform/config/limits";
import { expiredSessionLine, portalCookieNames, readCookie, setCookie } from "~/visit/browser.server";
import { visit } from "./visit";

/** Runs work in a portal at this origin. */
const at = <Value>(PUBLIC_ORIGIN: string, work: () => Value) => withVariables({ PUBLIC_ORIGIN }, work);

describe("the portal's own cookies", () => {
  it("[S53] are __Host- and Secure for customers on https; the consent keeps the specification's name", () => {
    at("https://portal.example", () => {
      expect(portalCookieNames()).toEqual([
        "accepted-cookies",
        "__Host-flow",
        "__Host-language",
        "__Host-news-seen",
        "__Host-passkeys",
      ]);
      const setCookies: string[] = [];
      setCookie(setCookies, "consent", "true");
      setCookie(setCookies, "flow", "sealed");
      setCookie(setCookies, "language", "en");
      expect(setCookies).toEqual([
        `accepted-cookies=true; Max-Age=${LIMITS.COOKIE_CONSENT_SECONDS}; Path=/; HttpOnly; Secure; SameSite=Lax`,
        `__Host-flow=sealed; Max-Age=${LIMITS.FLOW_SECONDS}; Path=/; HttpOnly; Secure; SameSite=Lax`,
        // Without a Max-Age, the cookie ends when the browser is closed.
        "__Host-language=en; Path=/; HttpOnly; Secure; SameSite=Lax",
      ]);
      expect(expiredSessionLine()).toBe("__Host-session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax");
    });
  });

  it.each(["", "http://localhost:3000"])(
    "are plain for customers on http (%j): browsers drop the others",
    (origin) => {
      at(origin, () => {
        expect(portalCookieNames()).toEqual([
          "accepted-cookies",
          "flow",
          "language",
          "news-seen",
          "passkeys",
        ]);
        const setCookies: string[] = [];
        setCookie(setCookies, "consent", "true");
        expect(setCookies).toEqual([
          `accepted-cookies=true; Max-Age=${LIMITS.COOKIE_CONSENT_SECONDS}; Path=/; HttpOnly; SameSite=Lax`,
        ]);
        expect(expiredSessionLine()).toBe("session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
      });
    },
  );

  it("are read under the name this origin uses, not the other one", () => {
    at("https://portal.example", () => {
      const both = visit("/home/mfa", { cookies: { flow: "planted", "__Host-flow": "own" } });
      expect(readCookie(both.request, "flow")).toBe("own");
      const planted = visit("/home/mfa", { cookies: { flow: "planted" } });
      expect(readCookie(planted.request, "flow")).toBeUndefined();
    });
  });
});
