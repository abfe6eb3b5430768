import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { CODE_STEPS } from "../account-steps";
import { customersOf, FIRST_PASSWORD, NEXT_PASSWORD, register } from "../new-account";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

const customer = customersOf();
const SIGNED_IN_STEPS = ["change-password", "change-login", "create-document-password"] as const;

let portal: Portal;
beforeAll(async () => {
  portal = await startPortal();
});
afterAll(() => portal.stop());

const isIn = async (visitor: Visitor) => (await visitor.get("/cp")).status === 200;
const read = async <Body>(visitor: Visitor, path: string) =>
  JSON.parse((await visitor.call("GET", path)).body) as Body;
const sessionsOf = async (visitor: Visitor) =>
  (await read<CallResponse<"sessions">>(visitor, "/cp/api/sessions")).sessions;

describe("[S40] a session that was ended elsewhere", () => {
  test.each(SIGNED_IN_STEPS)(
    "is out in the middle of %s, and its right code changes nothing",
    async (name) => {
      const { path, arrive, fields } = CODE_STEPS[name];
      const who = customer();
      const { visitor } = await arrive(portal, who);
      const authorizationCode = await portal.lastCode(who.phone);
      const { username } = await read<{ username: string }>(visitor, "/home/api/user/info");
      const account = { ...who, username, password: FIRST_PASSWORD };
      const elsewhere = new Visitor(portal);
      await elsewhere.signIn(account);
      const before = await read(elsewhere, "/cp/api/profile");
      expect((await elsewhere.call("DELETE", "/cp/api/sessions")).status).toBe(204);

      const answer = await visitor.post(path, { intent: "confirm", authorizationCode, ...fields() });
      expect(answer.header("Location")).toMatch(/^\/home(\?|$)/);
      expect(await isIn(visitor)).toBe(false);
      expect(await read(elsewhere, "/cp/api/profile")).toEqual(before);
      // The password is still the old one.
      await new Visitor(portal).begin(account);
    },
  );

  test("needs an id of the customer's own: any other ends nothing, and sending one signs nobody out", async () => {
    const [mine, theirs] = [await register(portal, customer()), await register(portal, customer())];
    const [foreign] = await sessionsOf(theirs.visitor);
    for (const session of [foreign?.id ?? "", "", ".", "..", "a/b", "%2e%2e", "\u0000", "x".repeat(4001)]) {
      const called = await mine.visitor.call("DELETE", `/cp/api/sessions/${encodeURIComponent(session)}`);
      expect([204, 400, 404, 414], session.slice(0, 50)).toContain(called.status);
    }
    expect(await isIn(theirs.visitor)).toBe(true);
    expect(await isIn(mine.visitor)).toBe(true);
  });
});

describe("[S42] a trusted device", () => {
  const trusting = async () => {
    const { account } = await register(portal, customer());
    const visitor = new Visitor(portal);
    await visitor.signIn(account, true);
    visitor.cookies.delete("session");
    return { visitor, account };
  };

  test("whose cookie was copied lets the copy in no further than the code, and then asks everybody for one", async () => {
    const { visitor, account } = await trusting();
    const copy = visitor.twin();
    for (let nth = 0; nth < 2; nth += 1) {
      visitor.cookies.delete("session");
      expect((await visitor.login(account)).header("Location")).toBe("/cp");
    }
    expect((await copy.login(account)).header("Location")).toBe("/home/mfa");
    expect(await isIn(copy)).toBe(false);
    expect((await copy.get("/home/mfa")).status).toBe(200);
    // Whoever is signed in stays signed in; the next sign-in asks for a code.
    expect(await isIn(visitor)).toBe(true);
    visitor.cookies.delete("session");
    expect((await visitor.login(account)).header("Location")).toBe("/home/mfa");
  });

  test("that is removed in the middle of a journey ends no session and no journey", async () => {
    const { visitor, account } = await trusting();
    expect((await visitor.login(account)).header("Location")).toBe("/cp");
    await visitor.post("/home/change-password", { intent: "send-code" });
    const authorizationCode = await portal.lastCode(account.phone);
    expect((await visitor.twin().call("DELETE", "/cp/api/trusted-devices")).status).toBe(204);
    const fields = { newPassword: NEXT_PASSWORD, newPasswordRepeat: NEXT_PASSWORD };
    const answer = await visitor.post("/home/change-password", {
      intent: "confirm",
      authorizationCode,
      ...fields,
    });
    expect(answer.header("Location")).toBe("/cp/profile");
    visitor.cookies.delete("session");
    const again = await visitor.login({ ...account, password: NEXT_PASSWORD });
    expect(again.header("Location")).toBe("/home/mfa");
  });
});

describe("X-Device-Name", () => {
  const NAME = "Firefox 128, Windows 10";
  /** What the customer sees of a sign-in that came with this header. */
  const seenFrom = async (at: Portal, sent: string) => {
    const { account, visitor } = await register(at, customer());
    const answer = await new Visitor(at).send("POST", "/home/api/auth/login", {
      headers: { "Content-Type": "application/json", "X-Device-Name": sent },
      body: JSON.stringify({ username: account.username, password: NEXT_PASSWORD }),
    });
    expect(answer.status).toBe(400);
    const { events } = await read<CallResponse<"activity">>(visitor, "/cp/api/activity");
    return events.find(({ event }) => event === "sign-in-refused")?.deviceName;
  };

  test("from strangers is ignored", async () => {
    expect(await seenFrom(portal, encodeURIComponent(NAME))).toBe("");
  });

  test("from a trusted proxy is believed, and one that can't be read counts as none", async () => {
    const behind = await startPortal({ env: { TRUSTED_PROXIES: "127.0.0.1" } });
    expect(await seenFrom(behind, encodeURIComponent(NAME))).toBe(NAME);
    for (const nonsense of ["%zz", "%00", "%FF", "%ED%A0%80"])
      expect(await seenFrom(behind, nonsense)).toBe("");
    expect(await seenFrom(behind, "a".repeat(10_000))).toBe("a".repeat(100));
    expect(behind.log()).not.toMatch(/"level":"error"/);
    await behind.stop();
  });
});

test("after all of this the portal has logged no error", () => {
  expect(portal.log()).not.toMatch(/"level":"error"/);
});
