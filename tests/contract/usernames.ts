import { expect, it } from "vitest";
import { ANNA, JAN, PIOTR, freshCustomer } from "../demo-customers";
import { Browser, latestCode, messagesTo, wrongCode } from "./browser";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

/** The path of one step of a username change. */
const change = (username: string, step: "init" | "confirm") =>
  `/home/api/user/${encodeURIComponent(username)}/login-change/${step}`;

/** Username reminder and username change. */
export function usernamePromises(way: () => Way): void {
  const remindInit = "/home/api/user/login-remind/init";
  const remindConfirm = "/home/api/user/login-remind/confirm";

  it("a reminder returns the username to anyone with the phone, twice if the submit is doubled", async () => {
    const browser = new Browser(way());
    // The number may be typed with a space or a dash of another kind (S127).
    const policyNo = `${ANNA.policyNo.slice(0, 2)} ${ANNA.policyNo.slice(2).replaceAll("-", "\u2011")}`;
    expect(await browser.post(remindInit, { policyNo })).toMatchObject({
      status: 200,
      body: {},
    });
    const payload = { authorizationCode: await latestCode(way(), ANNA.phone), policyNo: ANNA.policyNo };
    const answers = await Promise.all(
      [browser, browser.twin()].map((each) => each.post(remindConfirm, payload)),
    );
    for (const { status, body } of answers)
      expect([status, body]).toEqual([200, { username: ANNA.username }]);
  });

  it("[S3] an unknown policy number, or one without an account, is answered like any other", async () => {
    const walk = async (policyNo: string) => {
      const browser = new Browser(way());
      const seen = [await browser.post(remindInit, { policyNo })];
      for (let nth = 0; nth < 6; nth += 1) {
        seen.push(await browser.post(remindConfirm, { authorizationCode: `00000${nth}`, policyNo }));
      }
      return seen.map(({ status, body }) => ({ status, body }));
    };
    const known = await walk(JAN.policyNo);
    for (const policyNo of ["POL-999999", freshCustomer(20).policyNo, "ą".repeat(50)]) {
      expect(await walk(policyNo)).toEqual(known);
    }
    expect(await messagesTo(way(), freshCustomer(20).phone)).toBe(0);
  });

  it("a change sets a new username; sessions and trusted devices stay", async () => {
    const { username, browser, customer } = await register(way(), freshCustomer(21));
    const device = new Browser(way());
    await device.signIn(customer, "Y");

    expect(await browser.post(change(username, "init"))).toMatchObject({ status: 200, body: {} });
    const authorizationCode = await latestCode(way(), freshCustomer(21).phone);
    const payload = { newUsername: " Żółw.21@poczta-x_Y ", authorizationCode };
    expect(await browser.post(change(username, "confirm"), payload)).toMatchObject({ status: 200, body: {} });
    for (const name of [username, "Żółw.21@poczta-x_Y"]) {
      expect((await browser.post(change(name, "confirm"), payload)).status).toBe(200);
    }
    expect((await browser.get("/home/api/user/info")).body).toMatchObject({ username: "Żółw.21@poczta-x_Y" });

    expect((await device.get("/cp/api/profile")).body).toMatchObject({ trustedDevices: [{}] });
    expect((await device.login({ username: "żółw.21@POCZTA-X_y", password: NEW_PASSWORD })).status).toBe(200);
    expect((await device.post("/home/api/user/init")).status).toBe(200);
    expect((await new Browser(way()).login({ username, password: NEW_PASSWORD })).body).toEqual({
      errorCode: "101",
    });
  });

  it("[S5] a taken username in any case is 012, only with the right code, which is good for five tries", async () => {
    const { username, browser } = await register(way(), freshCustomer(22));
    await browser.post(change(username, "init"));
    const code = await latestCode(way(), freshCustomer(22).phone);
    const confirm = async (authorizationCode: string, newUsername: string) => {
      const { body } = await browser.post(change(username, "confirm"), { newUsername, authorizationCode });
      return (body as { errorCode?: string }).errorCode;
    };
    expect(await confirm(wrongCode(code), ANNA.username)).toBe("007");
    for (const taken of [ANNA.username, "ANNA.NOWAK", ` ${PIOTR.username}`, username]) {
      expect(await confirm(code, taken)).toBe("012");
    }
    expect(await confirm(code, JAN.username)).toBe("016");
    expect(await confirm(code, "wolna.nazwa")).toBe("016");
  });

  it("015 after three changes in a month, already at init", async () => {
    const browser = new Browser(way());
    await browser.signIn(JAN);
    expect(await browser.post(change(JAN.username, "init"))).toMatchObject({
      status: 400,
      body: { errorCode: "015" },
    });

    const { browser: other, ...registered } = await register(way(), freshCustomer(23));
    let { username } = registered;
    for (let nth = 1; nth <= 3; nth += 1) {
      await other.post(change(username, "init"));
      const authorizationCode = await latestCode(way(), freshCustomer(23).phone);
      const newUsername = `nazwa.numer.${nth}`;
      expect((await other.post(change(username, "confirm"), { newUsername, authorizationCode })).status).toBe(
        200,
      );
      username = newUsername;
    }
    expect((await other.post(change(username, "init"))).body).toMatchObject({ errorCode: "015" });
  });

  it("[S48] customers can change only their own username", async () => {
    const browser = new Browser(way());
    await browser.signIn(ANNA);
    for (const step of ["init", "confirm"] as const) {
      const payload = step === "init" ? {} : { newUsername: "moja.nazwa", authorizationCode: "000000" };
      const answer = await browser.post(change(PIOTR.username, step), payload);
      expect([answer.status, answer.body]).toEqual([422, { errorCode: "invalid", fields: ["username"] }]);
    }
  });

  it.each(["abcd", "a".repeat(51), "12345", "ąęść", "anna nowak", "anna/nowak", "аnna.nowak"])(
    "the new username %s breaks a rule: 422",
    async (newUsername) => {
      const browser = new Browser(way());
      await browser.signIn(ANNA);
      const answer = await browser.post(change(ANNA.username, "confirm"), {
        newUsername,
        authorizationCode: "000000",
      });
      expect([answer.status, answer.body]).toEqual([422, { errorCode: "invalid", fields: ["newUsername"] }]);
    },
  );
}
