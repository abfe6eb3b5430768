import { redirectDocument } from "@remix-run/node";
import { createRequestHandler } from "@remix-run/server-runtime";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ANNA } from "../demo-customers";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";
import { smallBuild } from "../attack/front-door-build";

let portal: Portal;
let visitor: Visitor;

beforeAll(async () => {
  portal = await startPortal();
  visitor = new Visitor(portal);
  await visitor.accept();
});
afterAll(() => portal.stop());

/** Remix' own answer if an open page has to load an address. */
async function reloadByRemix(method: "GET" | "POST", address: string): Promise<string> {
  const build = smallBuild([]);
  const leave = () => redirectDocument(address);
  const module = { default: () => null, loader: leave, action: leave };
  const routes = { ...build.routes, away: { id: "away", parentId: "root", path: "away", module } };
  const handle = createRequestHandler({ ...build, routes });
  return (await handle(new Request("http://portal.example/away.data", { method }))).text();
}

test.each([
  ["/_root.data", "/"],
  ["/home/register.data", "/home/register"],
  [
    "/cp/profile.data?document-password-save-result=create",
    "/cp/profile?document-password-save-result=create",
  ],
])(
  "a page of the release before that asks for %s is told to load %s, and then is a page of ours",
  async (data, address) => {
    const { status, header, body } = await visitor.get(data);
    // Without this type the page would say that the connection is lost.
    expect([status, header("Content-Type")]).toEqual([404, "text/x-script; charset=utf-8"]);
    expect(body).toBe(await reloadByRemix("GET", address));
  },
);

test("a form that such a page sends is not taken: it loads the page again, to be filled in once more", async () => {
  const typed = { username: ANNA.username, password: ANNA.password };
  const { status, body } = await visitor.post("/home.data?index", typed);
  expect([status, body]).toEqual([404, await reloadByRemix("POST", "/home")]);
  expect((await visitor.get("/home/mfa")).header("Location")).toBe("/home");
});

test.each(["//evil.example/a.data", "/%5Cevil.example/a.data", "/.data", "/a/..//evil.example.data"])(
  "%s leads nowhere else",
  async (data) => {
    expect((await visitor.get(data)).body).not.toMatch(/"redirect","(\w+:)?(\/\/|\/?\\|")/);
  },
);
