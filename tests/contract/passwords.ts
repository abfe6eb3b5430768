import { expect, it } from "vitest";
import { PIOTR, TOMASZ, freshCustomer } from "../demo-customers";
import { Browser, latestCode, wrongCode } from "./browser";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

/** The path of one step of a password reset. */
const reset = (username: string, step: "init" | "confirm") =>
  `/home/api/user/${encodeURIComponent(username)}/password-reset/${step}`;

/** Password reset and password change. */
export function passwordPromises(way: () => Way): void {
  it("a reset allows one sign-in without a second code, and ends everything that was open", async () => {
    const { customer, username } = await register(way(), freshCustomer(10));
    const trusted = new Browser(way());
    await trusted.signIn(customer, "Y");

    const browser = new Browser(way());
    expect(await browser.post(reset(username, "init"))).toMatchObject({ status: 200, body: {} });
    const payload = {
      newPassword: "Inne-Haslo-2026",
      authorizationCode: await latestCode(way(), customer.phone),
    };
    expect(await browser.post(reset(username, "confirm"), payload)).toMatchObject({ status: 200, body: {} });
    expect(browser.session).toBeUndefined();

    expect((await trusted.get("/home/api/user/info")).status).toBe(401);
    const renewed = { username, password: "Inne-Haslo-2026" };
    await trusted.login(renewed);
    expect((await trusted.post("/home/api/user/init")).status).toBe(409);
    expect((await new Browser(way()).login(customer)).body).toEqual({ errorCode: "101" });

    await browser.login(renewed);
    expect((await browser.post("/home/api/user/init")).status).toBe(200);
    await browser.delete("/home/api/session");
    await browser.login(renewed);
    expect((await browser.post("/home/api/user/init")).status).toBe(409);
  });

  it("[S12] a reset lifts a timed lock", async () => {
    const { username } = await register(way(), freshCustomer(11));
    for (let nth = 0; nth < 5; nth += 1)
      await new Browser(way()).login({ username, password: "Nie-To-Haslo-1" });
    const browser = new Browser(way());
    expect((await browser.login({ username, password: NEW_PASSWORD })).body).toMatchObject({
      errorCode: "106",
    });
    await browser.post(reset(username, "init"));
    const authorizationCode = await latestCode(way(), freshCustomer(11).phone);
    await browser.post(reset(username, "confirm"), { newPassword: "Inne-Haslo-2026", authorizationCode });
    expect((await browser.login({ username, password: "Inne-Haslo-2026" })).status).toBe(200);
  });

  it("[S81] any of the last five passwords, the current one included, is 013; the sixth works again", async () => {
    const { username } = await register(way(), freshCustomer(12), "Haslo-Numer-0-!");
    const set = async (newPassword: string) => {
      const browser = new Browser(way());
      await browser.post(reset(username, "init"));
      const authorizationCode = await latestCode(way(), freshCustomer(12).phone);
      const answer = await browser.post(reset(username, "confirm"), { newPassword, authorizationCode });
      return (answer.body as { errorCode?: string }).errorCode;
    };
    expect(await set("Haslo-Numer-0-!")).toBe("013");
    for (let nth = 1; nth <= 4; nth += 1) expect(await set(`Haslo-Numer-${nth}-!`)).toBeUndefined();
    for (let nth = 0; nth <= 4; nth += 1) expect(await set(`Haslo-Numer-${nth}-!`)).toBe("013");
    expect(await set("Haslo-Numer-5-!")).toBeUndefined();
    expect(await set("Haslo-Numer-0-!")).toBeUndefined();
  });

  it("[S81] 013 is revealed only to callers with the right code, which is good for five tries", async () => {
    const { username } = await register(way(), freshCustomer(13));
    const browser = new Browser(way());
    await browser.post(reset(username, "init"));
    const code = await latestCode(way(), freshCustomer(13).phone);
    const confirm = async (authorizationCode: string, newPassword = NEW_PASSWORD) => {
      const { body } = await browser.post(reset(username, "confirm"), { newPassword, authorizationCode });
      return (body as { errorCode?: string }).errorCode;
    };
    expect(await confirm(wrongCode(code))).toBe("007");
    for (let nth = 1; nth <= 4; nth += 1) expect(await confirm(code)).toBe("013");
    expect(await confirm(code)).toBe("016");
    expect(await confirm(code, "Inne-Haslo-2026")).toBe("016");
  });

  it("[S3] an unknown username and an expired account are answered like any other", async () => {
    const walk = async (username: string) => {
      const browser = new Browser(way());
      const seen = [await browser.post(reset(username, "init"))];
      for (let nth = 0; nth < 6; nth += 1) {
        const payload = { newPassword: NEW_PASSWORD, authorizationCode: `00000${nth}` };
        seen.push(await browser.post(reset(username, "confirm"), payload));
      }
      return seen.map(({ status, body }) => ({ status, body }));
    };
    const known = await walk(PIOTR.username);
    expect(known[0]).toEqual({ status: 200, body: {} });
    expect(known[6]).toEqual({ status: 400, body: { errorCode: "016" } });
    for (const username of ["nikt.taki", "nikt taki", "💥", TOMASZ.username])
      expect(await walk(username)).toEqual(known);
  });

  it("[S34] after a change while signed in, the session continues under a new id and all others end", async () => {
    const { username, browser, customer } = await register(way(), freshCustomer(14));
    const elsewhere = new Browser(way());
    await elsewhere.signIn(customer, "Y");
    const before = browser.twin();

    await browser.post(reset(username, "init"));
    const authorizationCode = await latestCode(way(), freshCustomer(14).phone);
    const payload = { newPassword: "Inne-Haslo-2026", authorizationCode };
    const twin = browser.twin();
    const [first, second] = await Promise.all(
      [browser, twin].map((each) => each.post(reset(username, "confirm"), payload)),
    );
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expect(twin.session).toBe(browser.session);

    expect((await browser.get("/cp/api/profile")).body).toMatchObject({ username, trustedDevices: [] });
    expect((await before.get("/cp/api/profile")).status).toBe(401);
    expect((await elsewhere.get("/cp/api/profile")).status).toBe(401);
  });
}
