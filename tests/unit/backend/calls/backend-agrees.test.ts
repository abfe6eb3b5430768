import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newDocumentPassword, newPassword, newUsername } from "~/contract/rules/field-rules";
import { Browser } from "../../../contract/browser";
import { ANNA } from "../../../demo-customers";
import { openTestBackend, type TestBackend } from "../test-backend";
import { typedText } from "../../rules/typed-text";

let backend: TestBackend;
let browser: Browser;
beforeAll(async () => {
  backend = await openTestBackend();
  browser = new Browser(backend);
  await browser.signIn(ANNA);
});
afterAll(() => backend.close());

const authorizationCode = "000000";
const BROKEN = (field: string) => ({ status: 422, body: { errorCode: "invalid", fields: [field] } });

/** Rules of the forms, each with a call that carries such a value with a wrong code. */
const CHOSEN = [
  [
    "a password for a new account",
    newPassword,
    "password",
    (password: string) =>
      browser.post("/home/api/user/register/confirm", {
        authorizationCode,
        password,
        pid: "1",
        policyNo: "1",
      }),
  ],
  [
    "a new password",
    newPassword,
    "newPassword",
    (value: string) =>
      browser.post("/home/api/user/nikt.taki/password-reset/confirm", {
        newPassword: value,
        authorizationCode,
      }),
  ],
  [
    "a new username",
    newUsername,
    "newUsername",
    (value: string) =>
      browser.post(`/home/api/user/${ANNA.username}/login-change/confirm`, {
        newUsername: value,
        authorizationCode,
      }),
  ],
  [
    "a document password",
    newDocumentPassword,
    "password",
    (password: string) =>
      browser.put("/cp/api/doc-pwd/create/confirm", { authToken: authorizationCode, password }),
  ],
] as const;

describe("the backend refuses with 422 what the forms refuse, and nothing else", () => {
  it.each(CHOSEN)("%s", async (_, rule, field, send) => {
    await fc.assert(
      fc.asyncProperty(typedText, async (typed) => {
        const { status, body } = await send(typed);
        if (rule(typed)) expect({ status, body }).toEqual(BROKEN(field));
        else expect({ status, body }).toEqual({ status: 400, body: { errorCode: "010" } });
      }),
      { numRuns: 150 },
    );
  });
});
