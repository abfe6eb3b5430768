import { describe, expect, test } from "vitest";
import { NEXT_PASSWORD, register } from "../new-account";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

const isIn = async (visitor: Visitor) => (await visitor.get("/cp")).status === 200;
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
