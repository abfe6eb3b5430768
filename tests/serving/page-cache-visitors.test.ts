import { describe, expect, it } from "vitest";
import { ANNA } from "../demo-customers";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";
import { BROWSER, CONSENT, isKept, kept, RETURNING, visitorWith } from "./cached-page";

const portal = sharedPortal();

describe("the memory answers only the visitors its pages are meant for", () => {
  it("each new browser gets a cookie of its own, and a returning one none", async () => {
    await kept(visitorWith(portal, RETURNING), "/home");
    const tokens = new Set<string | undefined>();
    for (let nth = 0; nth < 20; nth += 1) {
      const visitor = visitorWith(portal, CONSENT);
      const answer = await visitor.get("/home");
      expect([isKept(answer), answer.lines("Set-Cookie").length]).toEqual([true, 1]);
      tokens.add(visitor.cookies.get("browser"));
    }
    expect(tokens.size).toBe(20);
    expect((await kept(visitorWith(portal, RETURNING), "/home")).lines("Set-Cookie")).toEqual([]);
  });

  it("without consent, or once it is withdrawn, the start page leads to the question", async () => {
    await kept(visitorWith(portal, RETURNING), "/home");
    const visitor = visitorWith(portal, BROWSER);
    for (const path of ["/home", "/home/register"]) {
      const answer = await visitor.get(path);
      expect([answer.status, answer.header("Location")]).toEqual([302, "/home/cookies"]);
    }
  });

  it("a language chosen on the way applies at once", async () => {
    const visitor = visitorWith(portal, RETURNING);
    expect((await kept(visitor, "/home")).body).toContain('<html lang="pl">');
    await visitor.get("/language/en?back=%2Fhome");
    expect((await kept(visitor, "/home")).body).toContain('<html lang="en">');
    await visitor.get("/language/pl?back=%2Fhome");
    expect((await kept(visitor, "/home")).body).toContain('<html lang="pl">');
  });

  it("a visitor in a journey sees what was typed in it, until it ends", async () => {
    const visitor = visitorWith(portal, RETURNING);
    await kept(visitor, "/home/register");
    await visitor.post("/home/register", { policyNo: "POL-100011", pid: ANNA.pid });
    expect((await visitor.get("/home/register")).body).toContain("POL-100011");
    expect((await visitorWith(portal, RETURNING).get("/home/register")).body).not.toContain("POL-100011");
    visitor.cookies.delete("flow");
    expect((await visitor.get("/home/register")).body).not.toContain("POL-100011");
  });

  it("a notice is shown, once", async () => {
    await kept(visitorWith(portal, RETURNING), "/home");
    const visitor = visitorWith(portal, { ...RETURNING, session: "s".repeat(43) });
    const asked = await visitor.get("/cp");
    expect(asked.header("Location")).toBe("/home");
    visitor.cookies.delete("session");
    expect((await visitor.get("/home")).body).toContain("Sesja wygasła");
    expect((await visitor.get("/home")).body).not.toContain("Sesja wygasła");
  });

  it("a signed-in customer is led on, and sees the signed-out pages after signing out", async () => {
    const visitor = new Visitor(portal);
    await visitor.signIn(ANNA);
    expect((await visitor.get("/home")).header("Location")).toBe("/cp");
    await visitor.post("/home/logout");
    for (const path of ["/home/logout", "/home"])
      expect((await kept(visitor, path)).body).not.toContain(ANNA.name);
  });

  it.each(["/home?", "/home?x=1", "/home/", "/HOME"])(
    "the app answers any other address: %s",
    async (path) => {
      await kept(visitorWith(portal, RETURNING), "/home");
      expect(isKept(await visitorWith(portal, { ...RETURNING, flow: "" }).get(path))).toBe(false);
    },
  );
});
