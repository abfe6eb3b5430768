import { randomUUID } from "node:crypto";
import { expect, it, type TestContext } from "vitest";
import { CALLS, type CallResponse } from "~/contract/calls.server";
import { freshCustomer, PIOTR } from "../demo-customers";
import { Browser, latestCode } from "./browser";
import { leftOut } from "./left-out";
import { NEW_PASSWORD, register } from "./register";
import type { Way } from "./way";

const WRONG = "Nie-To-Haslo-1";
const SECOND_PASSWORD = "Drugie-Haslo-2026";
const THIRD_PASSWORD = "Trzecie-Haslo-2026";
const DOCUMENT_PASSWORD = "Dokument-2026!";

type Event = CallResponse<"activity">["events"][number];

/** The events of an account. A backend may leave them out: 404. */
export function activityPromises(way: () => Way): void {
  const eventsOf = async (browser: Browser, context: TestContext): Promise<readonly Event[]> => {
    const { status, body } = await browser.get("/cp/api/activity");
    if (status === 404) leftOut(way(), context, "the backend doesn't tell what happened to an account");
    expect(status).toBe(200);
    return CALLS.activity.response.parse(body).events;
  };

  it("lists each thing that happened, newest first, and nothing about anybody else", async (context) => {
    const customer = freshCustomer(34);
    const stranger = new Browser(way());
    await stranger.signIn(PIOTR);
    const strangers = await eventsOf(stranger, context);
    const { username } = await register(way(), customer);
    const account = { ...customer, username, password: NEW_PASSWORD };
    const browser = new Browser(way());
    await browser.signIn(account);
    const code = () => latestCode(way(), customer.phone);
    /** The events added at the top of the list. Those of one request may be in either order. */
    const news = async (happens: () => Promise<unknown>) => {
      const before = await eventsOf(browser, context);
      await happens();
      const after = await eventsOf(browser, context);
      expect(after.slice(after.length - before.length)).toEqual(before);
      return after.slice(0, after.length - before.length).map(({ event }) => event);
    };

    const wrong = () => new Browser(way()).login({ username, password: WRONG });
    expect(await news(wrong)).toEqual(["sign-in-refused"]);
    const trusted = await news(() => new Browser(way()).signIn(account, "Y"));
    expect(trusted.sort()).toEqual(["device-trusted", "signed-in"]);
    expect(await news(() => browser.delete("/cp/api/trusted-devices"))).toEqual(["device-removed"]);

    const setDocumentPassword = async () => {
      await browser.put("/cp/api/doc-pwd/create/init");
      const payload = { authToken: await code(), password: DOCUMENT_PASSWORD };
      return browser.put("/cp/api/doc-pwd/create/confirm", payload);
    };
    expect(await news(setDocumentPassword)).toEqual(["document-password-changed"]);

    const changed = `klient.${randomUUID().slice(0, 8)}`;
    const changeUsername = async () => {
      await browser.post(`/home/api/user/${username}/login-change/init`);
      const payload = { authorizationCode: await code(), newUsername: changed };
      return browser.post(`/home/api/user/${username}/login-change/confirm`, payload);
    };
    expect(await news(changeUsername)).toEqual(["username-changed"]);

    const reset = async (newPassword: string) => {
      await browser.post(`/home/api/user/${changed}/password-reset/init`);
      const payload = { authorizationCode: await code(), newPassword };
      return browser.post(`/home/api/user/${changed}/password-reset/confirm`, payload);
    };
    expect(await news(() => reset(SECOND_PASSWORD))).toEqual(["password-changed"]);
    const signedOut = await news(async () => {
      await browser.delete("/home/api/session");
      await reset(THIRD_PASSWORD);
      // After a reset this sign-in needs no code.
      await browser.login({ username: changed, password: THIRD_PASSWORD });
    });
    expect(signedOut).toEqual(["signed-in", "password-reset"]);

    const locked = await news(async () => {
      for (let nth = 0; nth < 5; nth += 1)
        await new Browser(way()).login({ username: changed, password: WRONG });
    });
    expect(locked.sort()).toEqual(["locked", ...Array.from({ length: 5 }, () => "sign-in-refused")]);
    expect(await eventsOf(stranger, context)).toEqual(strangers);
  });

  it("tells a browser which events it caused, how sessions began, and when it last signed in", async (context) => {
    const [browser, stranger] = [new Browser(way()), new Browser(way())];
    await browser.signIn(PIOTR);
    await stranger.login({ ...PIOTR, password: WRONG });
    await stranger.signIn(PIOTR);
    const told = async (by: Browser) =>
      (await eventsOf(by, context)).slice(0, 3).map(({ event, here, way: how }) => [event, here, how]);
    const ofStranger = await told(stranger);
    if (ofStranger.every(([, here]) => here === undefined))
      leftOut(way(), context, "the backend doesn't say which browser caused an event");
    expect(ofStranger).toEqual([
      ["signed-in", true, "sms"],
      ["sign-in-refused", true, undefined],
      ["signed-in", false, "sms"],
    ]);
    const lastHere = async (by: Browser) =>
      CALLS.profile.response.parse((await by.get("/cp/api/profile")).body).lastSignInHere?.at;
    expect(await lastHere(stranger)).toBeUndefined();
    way().advance?.(60_000);
    await browser.signIn(PIOTR);
    expect(await told(browser)).toEqual([
      ["signed-in", true, "sms"],
      ["signed-in", false, "sms"],
      ["sign-in-refused", false, undefined],
    ]);
    expect(await lastHere(browser)).toBe((await eventsOf(browser, context))[3]?.at);
  });

  it("lists the download of a document", async (context) => {
    const browser = new Browser(way());
    await browser.signIn(PIOTR);
    await eventsOf(browser, context);
    const { policies } = CALLS.policies.response.parse((await browser.get("/cp/api/policies")).body);
    const [id = leftOut(way(), context, "the backend offers no policy pages")] = policies.flatMap((policy) =>
      policy.id === undefined ? [] : [policy.id],
    );
    const page = CALLS.policy.response.parse((await browser.get(`/cp/api/policies/${id}`)).body);
    const [document = leftOut(way(), context, "the policy has no document")] = page.documents;
    const download = await browser.fetch("GET", `/cp/api/documents/${document.id}`);
    await download.arrayBuffer();
    expect((await eventsOf(browser, context))[0]?.event).toBe("document-downloaded");
  });
}
