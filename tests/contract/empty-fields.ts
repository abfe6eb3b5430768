import { describe, expect, it } from "vitest";
import { ANNA } from "../demo-customers";
import { Browser } from "./browser";
import { NEW_PASSWORD } from "./register";
import type { Way } from "./way";

const CODE = "123456";
const DETAILS = { policyNo: ANNA.policyNo, pid: ANNA.pid };
const RESET = `/home/api/user/${ANNA.username}/password-reset`;

/** Calls of signed-out visitors, each with one empty or malformed field. */
const BROKEN: readonly (readonly [path: string, payload: Readonly<Record<string, string>>, field: string])[] =
  [
    ["/home/api/auth/login", { username: "", password: NEW_PASSWORD }, "username"],
    ["/home/api/auth/login", { username: ANNA.username, password: "" }, "password"],
    ["/home/api/user/register/init", { ...DETAILS, policyNo: "" }, "policyNo"],
    ["/home/api/user/register/init", { ...DETAILS, pid: " " }, "pid"],
    ["/home/api/user/register/init", { ...DETAILS, policyNo: "\u2013 -" }, "policyNo"],
    ["/home/api/user/login-remind/init", { policyNo: "" }, "policyNo"],
    [
      "/home/api/user/login-remind/confirm",
      { policyNo: ANNA.policyNo, authorizationCode: "" },
      "authorizationCode",
    ],
    ["/home/api/user/login-remind/confirm", { policyNo: "", authorizationCode: CODE }, "policyNo"],
    [
      "/home/api/user/register/confirm",
      { ...DETAILS, password: NEW_PASSWORD, authorizationCode: "abc" },
      "authorizationCode",
    ],
    [
      "/home/api/user/register/confirm",
      { ...DETAILS, pid: "", password: NEW_PASSWORD, authorizationCode: CODE },
      "pid",
    ],
    [`${RESET}/confirm`, { newPassword: NEW_PASSWORD, authorizationCode: "12 34 5" }, "authorizationCode"],
  ];

/** Required fields that are empty, and codes that aren't six digits. */
export function emptyFieldPromises(way: () => Way): void {
  describe("[S118] an empty field, or a code that isn't six digits", () => {
    it.each(BROKEN)("%s with %j is 422", async (path, payload, field) => {
      expect(await new Browser(way()).post(path, payload)).toMatchObject({
        status: 422,
        body: { errorCode: "invalid", fields: [field] },
      });
    });

    it("is 422 in a session as well", async () => {
      const browser = new Browser(way());
      await browser.signIn(ANNA);
      const change = `/home/api/user/${ANNA.username}/login-change/confirm`;
      expect(await browser.post(change, { newUsername: "nowa.nazwa", authorizationCode: "1" })).toMatchObject(
        { status: 422, body: { errorCode: "invalid", fields: ["authorizationCode"] } },
      );
      expect(
        await browser.put("/cp/api/doc-pwd/create/confirm", {
          authToken: "12345",
          password: "Dokument-2026!",
        }),
      ).toMatchObject({ status: 422, body: { errorCode: "invalid", fields: ["authToken"] } });
    });
  });
}
