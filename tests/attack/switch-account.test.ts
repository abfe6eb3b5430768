import { describe, expect, test } from "vitest";
import { ANNA, PIOTR } from "../demo-customers";
import { Visitor } from "../visitor";
import { sharedPortal } from "../shared-portal";
import { readPage, type Page } from "./account-page";

const HERE = "/home/switch-account";

const portal = sharedPortal();

/** Anna's browser, signed in. */
async function annasBrowser(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.signIn(ANNA);
  return visitor;
}

const page = async (visitor: Visitor, path: string): Promise<Page> =>
  readPage((await visitor.get(path)).body);

const whoIsIn = async (visitor: Visitor) => (await visitor.call("GET", "/home/api/user/info")).body;

// What the visitor reads: e2e/journeys/switch-account.spec.ts.
describe("[F15] the sign-in form of an old page, sent while Anna's account is open", () => {
  test("gives the same answer to a right password, a wrong one and a username that does not exist", async () => {
    const visitor = await annasBrowser();
    const locks = Array.from({ length: 6 }, () => ({ ...PIOTR, password: "Zle-Haslo-2026!" }));
    for (const typed of [PIOTR, { username: "nikt.taki", password: "Zle-Haslo-2026!" }, ...locks]) {
      const { status, body, header } = await visitor.login(typed);
      expect([status, body, header("Location")]).toEqual([303, "", HERE]);
    }
    expect(await whoIsIn(visitor)).toContain(ANNA.username);
    // None of them was a try: Piotr's username is not locked.
    await new Visitor(portal).signIn(PIOTR);
  });

  test("leads to the account if it is the same one, or if no username was typed", async () => {
    const visitor = await annasBrowser();
    for (const username of [ANNA.username, ` ${ANNA.username.toUpperCase()} `, "", "  "])
      expect((await visitor.login({ ...ANNA, username })).header("Location")).toBe("/cp");
  });

  test("a switch signs Anna out and keeps the username for one page, never the password", async () => {
    const visitor = await annasBrowser();
    await visitor.login(PIOTR);
    expect((await visitor.get(HERE)).body).not.toContain(PIOTR.password);
    const answer = await visitor.post("/home/logout", { intent: "to-login" });
    expect([answer.status, answer.header("Location")]).toEqual([303, "/home"]);
    expect(visitor.cookies.has("session")).toBe(false);
    const form = await page(visitor, "/home");
    expect([form.value("username"), form.value("password")]).toEqual([PIOTR.username, ""]);
    expect((await page(visitor, "/home")).value("username")).toBe("");
  });

  test("a visitor who still has to enter a code goes on to the code, whatever was typed", async () => {
    const visitor = new Visitor(portal);
    await visitor.begin(ANNA);
    expect((await visitor.login(PIOTR)).header("Location")).toBe("/home/mfa");
  });
});
