import { expect, it } from "vitest";
import { ANNA, PIOTR, freshCustomer } from "../demo-customers";
import { Browser, latestCode, wrongCode } from "./browser";
import { register } from "./register";
import type { Way } from "./way";

/** Document password and trusted devices. */
export function customerAreaPromises(way: () => Way): void {
  const init = "/cp/api/doc-pwd/create/init";
  const confirm = (mode: "create" | "change") => `/cp/api/doc-pwd/${mode}/confirm`;

  it("a document password is set and changed in either mode", async () => {
    const { browser } = await register(way(), freshCustomer(30));
    for (const [mode, password] of [
      ["create", "Dokument-Haslo-1"],
      ["change", "Dokument-Haslo-2"],
      ["create", "Dokument-Haslo-3"],
    ] as const) {
      await browser.put(`/cp/api/doc-pwd/${mode}/init`);
      const authToken = await latestCode(way(), freshCustomer(30).phone);
      const answers = await Promise.all(
        [browser, browser.twin()].map((each) => each.put(confirm(mode), { authToken, password })),
      );
      for (const { status, body } of answers) expect([status, body]).toEqual([200, {}]);
      expect((await browser.get("/cp/api/profile")).body).toMatchObject({ documentPassword: true });
    }
  });

  it("[S83] the portal password as the document password is 422; the code is good for five tries", async () => {
    const same = "Dokument-Haslo-1";
    const { browser } = await register(way(), freshCustomer(31), same);
    await browser.put(init);
    const authToken = await latestCode(way(), freshCustomer(31).phone);
    const wrong = await browser.put(confirm("create"), { authToken: wrongCode(authToken), password: same });
    expect(wrong.body).toEqual({ errorCode: "007" });
    for (let nth = 1; nth <= 4; nth += 1) {
      const answer = await browser.put(confirm("create"), { authToken, password: same });
      expect([answer.status, answer.body]).toEqual([422, { errorCode: "invalid", fields: ["password"] }]);
    }
    expect((await browser.put(confirm("create"), { authToken, password: same })).body).toEqual({
      errorCode: "016",
    });
    expect((await browser.get("/cp/api/profile")).body).toMatchObject({ documentPassword: false });
  });

  it.each(["Zażółć-Gęślą-1", "Ze-Spacja 2026", "Z-Emoji-2026-💥", "Krotkie-1", "bez-wielkiej-1"])(
    "the document password %s breaks a rule: 422",
    async (password) => {
      const browser = new Browser(way());
      await browser.signIn(PIOTR);
      const answer = await browser.put(confirm("change"), { authToken: "000000", password });
      expect([answer.status, answer.body]).toEqual([422, { errorCode: "invalid", fields: ["password"] }]);
    },
  );

  it("[S44] customers remove trusted devices one by one or all at once, and only their own", async () => {
    const devices = [new Browser(way()), new Browser(way()), new Browser(way())];
    await devices[0]?.signIn(ANNA);
    await devices[0]?.delete("/cp/api/trusted-devices");
    for (const device of devices) await device.signIn(ANNA, "Y");
    const stranger = new Browser(way());
    await stranger.signIn(PIOTR);
    const [first, second] = devices;
    const listed = async () => {
      const { body } = (await devices[2]?.get("/cp/api/profile")) ?? { body: undefined };
      return (body as { trustedDevices: { id: string }[] }).trustedDevices;
    };
    const before = await listed();
    expect(before).toHaveLength(3);
    const id = before.at(-1)?.id ?? "";
    expect((await stranger.delete(`/cp/api/trusted-devices/${id}`)).status).toBe(204);
    expect((await stranger.delete("/cp/api/trusted-devices")).status).toBe(204);
    expect(await listed()).toHaveLength(3);

    for (const path of [id, id, "no-such-device"]) {
      expect((await devices[2]?.delete(`/cp/api/trusted-devices/${path}`))?.status).toBe(204);
    }
    expect(await listed()).toHaveLength(2);
    await devices[2]?.delete("/cp/api/trusted-devices");
    expect(await listed()).toEqual([]);
    for (const device of [first, second]) {
      await device?.login(ANNA);
      expect((await device?.post("/home/api/user/init"))?.status).toBe(409);
    }
  });
}
