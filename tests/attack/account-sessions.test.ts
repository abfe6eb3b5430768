import { describe, expect, test } from "vitest";
import type { CallResponse } from "~/contract/calls.server";
import { NEXT_PASSWORD, register } from "../new-account";
import { startPortal, type PublicPortal } from "../portal";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

const isIn = async (visitor: Visitor) => (await visitor.get("/cp")).status === 200;
const read = async <Body>(visitor: Visitor, path: string) =>
  JSON.parse((await visitor.call("GET", path)).body) as Body;
describe("[S42] a trusted device", () => {
  const trusting = async () => {
    const { account } = await register(portal, newCustomer());
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
    // The session goes on; the next sign-in asks for a code.
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
  /** The device name that the customer sees for a refused sign-in with this header. */
  const seenFrom = async (at: PublicPortal, sent: string) => {
    const { account, visitor } = await register(at, newCustomer());
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
