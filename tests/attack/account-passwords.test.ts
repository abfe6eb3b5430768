import { describe, expect, test } from "vitest";
import { FIRST_PASSWORD, register } from "../new-account";
import { Visitor } from "../visitor";
import { newCustomer, sharedPortal } from "../shared-portal";

const portal = sharedPortal();

describe("passwords arrive exactly as typed", () => {
  test.each([
    ["  Spacje-Na-Brzegach-1  "],
    ["<script>&amp;\"Haslo'1</script>"],
    ["Zażółć-gęślą-jaźń-1"],
    ["Zażółć-gęślą-jaźń-1".normalize("NFD")],
    ["Emoji-👩‍👩‍👧‍👦-1-haslo"],
    ["%2F+%20&=Haslo-1;"],
    ["Tab\tNowa-Linia-1"],
  ])("%j can be set at registration and signs in", async (password) => {
    const { account } = await register(portal, newCustomer(), password);
    const signIn = async (typed: string) => {
      const visitor = new Visitor(portal);
      await visitor.accept();
      return (await visitor.login({ username: account.username, password: typed })).header("Location");
    };
    expect(await signIn(password)).toBe("/home/mfa");
    expect(await signIn(password.normalize("NFD"))).toBe("/home/mfa");
    expect(await signIn(password.normalize("NFC"))).toBe("/home/mfa");
    const cleaned = password.trim().replace(/[<>&]/g, "");
    if (cleaned !== password) expect(await signIn(cleaned)).toBeUndefined();
    expect(await signIn(FIRST_PASSWORD)).toBeUndefined();
  });
});
