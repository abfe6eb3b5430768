import { afterEach, describe, expect, it, vi } from "vitest";
import { LIMITS } from "~/platform/config/limits";
import { visit } from "./visit";

/** The cookies of a portal at this origin. The environment is read once, so each origin loads its own modules. */
async function portalAt(publicOrigin: string) {
  vi.resetModules();
  vi.stubEnv("PUBLIC_ORIGIN", publicOrigin);
  return import("~/visit/browser.server");
}

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

describe("the portal's own cookies", () => {
  it("[S53] are __Host- and Secure for customers on https; the consent keeps the specification's name", async () => {
    const { setCookie, portalCookieNames, expiredSessionLine } = await portalAt("https://portal.example");
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

  it.each(["", "http://localhost:3000"])(
    "are plain for customers on http (%j): browsers drop the others",
    async (origin) => {
      const { setCookie, portalCookieNames, expiredSessionLine } = await portalAt(origin);
      expect(portalCookieNames()).toEqual(["accepted-cookies", "flow", "language", "news-seen", "passkeys"]);
      const setCookies: string[] = [];
      setCookie(setCookies, "consent", "true");
      expect(setCookies).toEqual([
        `accepted-cookies=true; Max-Age=${LIMITS.COOKIE_CONSENT_SECONDS}; Path=/; HttpOnly; SameSite=Lax`,
      ]);
      expect(expiredSessionLine()).toBe("session=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    },
  );

  it("are read under the name this origin uses, not the other one", async () => {
    const { readCookie } = await portalAt("https://portal.example");
    const { request } = visit("/home/mfa", { cookies: { flow: "planted", "__Host-flow": "own" } });
    expect(readCookie(request, "flow")).toBe("own");
    expect(readCookie(visit("/home/mfa", { cookies: { flow: "planted" } }).request, "flow")).toBeUndefined();
  });
});
