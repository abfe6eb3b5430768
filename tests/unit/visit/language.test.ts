import { describe, expect, it } from "vitest";
import { loader } from "~/routes/language";
import { visit, SESSION, type VisitOptions } from "./visit";

/** Follows the link in the footer; returns where it leads and the cookies it sets. */
async function choose(code: string, back: string | undefined, options: VisitOptions = {}) {
  const query = back === undefined ? "" : `?back=${encodeURIComponent(back)}`;
  const visiting = visit(`/language/${code}${query}`, options);
  const answer = await visiting.run((args) => loader({ ...args, params: { code } }));
  return { status: answer.status, to: answer.headers.get("Location"), setCookies: visiting.setCookies };
}

const ENGLISH = ["language=en; Path=/; HttpOnly; SameSite=Lax"];

describe("the choice of a language", () => {
  it("is remembered until the browser is closed, and leads back with a 303", async () => {
    expect(await choose("en", "/home/reset-password-init")).toEqual({
      status: 303,
      to: "/home/reset-password-init",
      setCookies: ENGLISH,
    });
    expect((await choose("pl", "/cp")).setCookies).toEqual(["language=pl; Path=/; HttpOnly; SameSite=Lax"]);
  });

  it("[F17] asks registration to say that the identifier must be typed again", async () => {
    expect((await choose("en", "/home/register")).to).toBe("/home/register?language");
    expect((await choose("pl", "/home/register?language")).to).toBe("/home/register?language");
  });

  it("needs no consent to cookies, no session and no query", async () => {
    const answer = await choose("en", undefined, { cookies: {} });
    expect(answer).toEqual({ status: 303, to: "/home", setCookies: ENGLISH });
  });

  it.each(["de", "EN", "en-GB", "", "__proto__", "../en"])(
    "of an unknown language (%j) changes nothing",
    async (code) => {
      expect(await choose(code, "/home/register")).toEqual({
        status: 303,
        to: "/home/register",
        setCookies: [],
      });
    },
  );

  it.each(["//evil.example", ""])("[S58] leads to the start page, not to %j", async (back) => {
    expect(await choose("en", back)).toEqual({ status: 303, to: "/home", setCookies: ENGLISH });
  });

  it("is not undone by the address it returns to", async () => {
    expect((await choose("en", "/language/pl?back=/home")).to).toBe("/home");
  });

  it.each(["/home/logout", "/home/logout/", "/Home/Logout?x", "/home/%6Cogout"])(
    "[S37] signs nobody out: from %s it leads to the start page, and back only without a session",
    async (back) => {
      const signedIn = { cookies: { "accepted-cookies": "true", session: SESSION } };
      expect((await choose("en", back, signedIn)).to).toBe("/home");
      expect((await choose("en", back)).to).toBe(back);
    },
  );
});
