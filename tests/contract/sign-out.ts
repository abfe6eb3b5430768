import { expect, it } from "vitest";
import { ANNA } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { CHANGES } from "./changes";
import { NEW_PASSWORD } from "./register";
import type { Way } from "./way";

/** `DELETE session`, and its effects. */
export function signOutPromises(way: () => Way): void {
  it("[S37] signs out for good, and as often as you like", async () => {
    const browser = new Browser(way());
    await browser.signIn(ANNA);
    const copy = browser.twin();
    const gone = await browser.delete("/home/api/session");
    expect([gone.status, gone.body]).toEqual([204, undefined]);
    expect(browser.session).toBeUndefined();
    expect((await copy.get("/home/api/user/info")).status).toBe(401);
    expect((await browser.delete("/home/api/session")).status).toBe(204);
  });

  it("[S37] ends a password change under way, though a password reset needs no session", async () => {
    const browser = new Browser(way());
    await browser.signIn(ANNA);
    const path = `/home/api/user/${ANNA.username}/password-reset`;
    expect((await browser.post(`${path}/init`)).status).toBe(200);
    const authorizationCode = await latestCode(way(), ANNA.phone);
    expect((await browser.delete("/home/api/session")).status).toBe(204);
    const payload = { newPassword: NEW_PASSWORD, authorizationCode };
    const { status, body } = await browser.post(`${path}/confirm`, payload);
    expect([status, body]).toEqual([400, { errorCode: "010" }]);
    await new Browser(way()).signIn(ANNA);
  });

  it.for(Object.entries(CHANGES))(
    "[S37] ends the code for %s: the same browser's next session can't use it",
    async ([, [method, path, payload]]) => {
      const browser = new Browser(way());
      await browser.signIn(ANNA);
      expect((await browser.send(method, `${path}/init`, {})).status).toBe(200);
      const code = await latestCode(way(), ANNA.phone);
      await browser.delete("/home/api/session");
      await browser.signIn(ANNA);
      const codes = { authToken: code, authorizationCode: code };
      const answer = await browser.send(method, `${path}/confirm`, { ...payload, ...codes });
      expect([answer.status, answer.body]).toEqual([400, { errorCode: "010" }]);
    },
  );

  it("[S37] leaves a password change in another browser alone: its code is still compared", async () => {
    const [here, there] = [new Browser(way()), new Browser(way())];
    await here.signIn(ANNA);
    const path = `/home/api/user/${ANNA.username}/password-reset`;
    await there.post(`${path}/init`);
    const authorizationCode = await latestCode(way(), ANNA.phone);
    await here.delete("/home/api/session");
    // It is refused only because it is the current password: the code is right.
    const payload = { newPassword: ANNA.password, authorizationCode };
    const { status, body } = await there.post(`${path}/confirm`, payload);
    expect([status, body]).toEqual([400, { errorCode: "013" }]);
  });
}
