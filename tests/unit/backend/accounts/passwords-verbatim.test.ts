import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { newPassword } from "~/contract/rules/field-rules";
import { Browser } from "../../../contract/browser";
import { register } from "../../../contract/register";
import { customersOf } from "../../../new-account";
import { openTestBackend, type TestBackend } from "../test-backend";
import { goodPassword } from "../../rules/typed-text";

const customer = customersOf();

let backend: TestBackend;
beforeAll(async () => {
  backend = await openTestBackend();
});
afterAll(() => backend.close());

/** Changes that careless code might make to a password on the way. */
const CARELESS: readonly ((password: string) => string)[] = [
  (password) => password.trim(),
  (password) => password.replace(/[<>&]/g, ""),
  (password) => password.toLowerCase(),
  (password) => [...password].slice(0, -1).join(""),
  (password) => password.normalize("NFKD").replace(/\p{M}/gu, ""),
];

it("a password is what was typed, code point by code point in NFC: it works, and nothing similar does", async () => {
  await fc.assert(
    fc.asyncProperty(goodPassword, fc.constantFrom(...CARELESS), async (password, careless) => {
      expect(newPassword(password)).toBeUndefined();
      const { username } = await register(backend, customer(), password);
      const signIn = async (typed: string) =>
        (await new Browser(backend).login({ username, password: typed })).status;
      const forms = [password.normalize("NFD"), password.normalize("NFC")];
      expect(await Promise.all(forms.map(signIn))).toEqual([200, 200]);
      const altered = careless(password);
      if (altered.normalize("NFC") !== password.normalize("NFC")) expect(await signIn(altered)).toBe(400);
    }),
    { numRuns: 10, endOnFailure: true },
  );
});
