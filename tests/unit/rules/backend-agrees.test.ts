import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newDocumentPassword, newPassword, newUsername } from "~/forms/rules/field-rules";
import { Browser } from "../../contract/browser";
import { ANNA } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "../backend/test-backend";
import { typedText } from "./typed-text";

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

/** A rule of the forms, and a call that carries such a value with a wrong code. */
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

describe("lengths are counted in code points of the NFC form, on both sides", () => {
  const rest = "Ż1!";
  it.each([
    ["11 letters", `${rest}${"a".repeat(8)}`, false],
    ["12 letters", `${rest}${"a".repeat(9)}`, true],
    ["50 letters", `${rest}${"a".repeat(47)}`, true],
    ["51 letters", `${rest}${"a".repeat(48)}`, false],
    ["11 characters with emoji", `${rest}${"👍".repeat(8)}`, false],
    ["12 characters with emoji", `${rest}${"👍".repeat(9)}`, true],
    ["50 characters with emoji", `${rest}${"👍".repeat(47)}`, true],
    ["51 characters with emoji", `${rest}${"👍".repeat(48)}`, false],
    ["11 characters with separate accents", `${rest}${"o\u0301".repeat(8)}`, false],
    ["50 characters with separate accents", `${rest}${"o\u0301".repeat(47)}`, true],
    ["51 characters with separate accents", `${rest}${"o\u0301".repeat(48)}`, false],
  ])("a password of %s", async (_, password, isGood) => {
    const payload = { authorizationCode, password, pid: "1", policyNo: "1" };
    const { status } = await browser.post("/home/api/user/register/confirm", payload);
    expect([newPassword(password) === undefined, status]).toEqual([isGood, isGood ? 400 : 422]);
  });

  it.each([
    ["4 letters", "abcd", false],
    ["5 letters", "abcde", true],
    ["50 letters", "ż".repeat(49) + "a", true],
    ["51 letters", "ż".repeat(50) + "a", false],
    ["50 characters with separate accents", "o\u0301".repeat(49) + "a", true],
    ["5 letters and surrounding spaces", "  abcde  ", true],
  ])("a username of %s", async (_, username, isGood) => {
    const payload = { newUsername: username, authorizationCode };
    const { status } = await browser.post(`/home/api/user/${ANNA.username}/login-change/confirm`, payload);
    expect([newUsername(username) === undefined, status]).toEqual([isGood, isGood ? 400 : 422]);
  });
});
