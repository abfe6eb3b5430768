import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPortal, type Portal } from "../portal";
import { Visitor } from "../visitor";

const ORIGIN = "https://portal.insurer.example";
const QUESTION = "/home/passkey-question";

async function accepted(at: Portal): Promise<Visitor> {
  const visitor = new Visitor(at);
  await visitor.accept();
  return visitor;
}

let portal: Portal;
let withoutPasskeys: Portal;
beforeAll(async () => {
  [portal, withoutPasskeys] = await Promise.all([
    startPortal({ publicOrigin: ORIGIN }),
    startPortal({ publicOrigin: ORIGIN, env: { PASSKEY_SIGN_IN: "off" } }),
  ]);
});
afterAll(() => Promise.all([portal.stop(), withoutPasskeys.stop()]));

describe("the question for a passkey, on a sign-in form", () => {
  test("names no account, asks who uses the device, and is another one each time", async () => {
    const visitor = await accepted(portal);
    const [first, second] = [await visitor.post(QUESTION), await visitor.post(QUESTION)];
    const options = JSON.parse(first.body) as { readonly challenge: string };
    expect(options).toMatchObject({
      rpId: new URL(ORIGIN).host,
      allowCredentials: [],
      userVerification: "required",
    });
    expect((JSON.parse(second.body) as typeof options).challenge).not.toBe(options.challenge);
  });

  test("is drawn by no GET, and for nobody who hasn't accepted cookies", async () => {
    const visitor = await accepted(portal);
    expect((await visitor.get(QUESTION)).header("Location")).toBe("/home");
    expect((await new Visitor(portal).post(QUESTION)).header("Location")).toBe("/home/cookies");
  });

  test("is offered by the same page to everybody, and by none with PASSKEY_SIGN_IN=off", async () => {
    const [one, another] = [await accepted(portal), await accepted(portal)];
    const page = (await one.get("/home")).body;
    expect((await another.get("/home")).body).toBe(page);
    expect(page).toContain('autoComplete="username"');
    expect(page).not.toContain("webauthn");
    expect(page).toContain("Zaloguj się kluczem dostępu");
    const without = await accepted(withoutPasskeys);
    const plain = (await without.get("/home")).body;
    expect(plain).not.toContain("webauthn");
    expect(plain).not.toContain("kluczem dostępu");
    expect((await without.post(QUESTION)).status).toBe(404);
  });
});
