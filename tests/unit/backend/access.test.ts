import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { json, type Handler } from "~/backend/handlers.server";
import type { startDocumentPassword } from "~/backend/services/accounts/document-password.server";
import { findSession } from "~/backend/services/sign-in/sessions.server";
import { CALLS, type CallName } from "~/contract/calls.server";
import { EmbeddedClient } from "~/visit/backend-client/embedded.server";
import { Browser, latestCode } from "../../contract/browser";
import { ANNA } from "../../demo-customers";
import { openTestBackend, type TestBackend } from "./test-backend";

vi.mock("~/backend/services/sign-in/sessions.server", async (load) => {
  const sessions = await load<{ readonly findSession: typeof findSession }>();
  return { ...sessions, findSession: vi.fn(sessions.findSession) };
});

const NAMES = Object.keys(CALLS) as CallName[];

describe("who may make a call", () => {
  let way: TestBackend;
  beforeAll(async () => {
    way = await openTestBackend();
  });
  afterAll(() => way.close());
  beforeEach(() => {
    vi.mocked(findSession).mockClear();
  });

  /** Sends an empty payload, which every call with required fields refuses. */
  const send = (browser: Browser, name: CallName) => {
    const { method, path } = CALLS[name];
    return browser.send(
      method,
      path.replace(/\{\w+\}/g, "create"),
      method === "GET" || method === "DELETE" ? undefined : {},
    );
  };

  it.each(NAMES)("%s looks the session up once, or never if anyone may call", async (name) => {
    const browser = new Browser(way);
    await browser.signIn(ANNA);
    vi.mocked(findSession).mockClear();
    await send(browser, name);
    expect(findSession).toHaveBeenCalledTimes(CALLS[name].access === "always" ? 0 : 1);
  });

  it("a confirm and its repeat each look the session up once, though the repeat carries an ended session", async () => {
    const browser = new Browser(way);
    await browser.login(ANNA);
    await browser.askForCode();
    const code = await latestCode(way, ANNA.phone);
    const pending = browser.twin();
    vi.mocked(findSession).mockClear();
    const [first, repeated] = [await browser.confirm(code), await pending.confirm(code)];
    expect([first.status, repeated.status]).toEqual([200, 200]);
    expect(findSession).toHaveBeenCalledTimes(2);
    expect(await vi.mocked(findSession).mock.results[1]?.value).toBeUndefined();
  });

  it("a page looks the session up once for all that it reads, and again after a write", async () => {
    const browser = new Browser(way);
    await browser.signIn(ANNA);
    const cookies = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const context = {
      clientAddress: "203.0.113.9",
      isForwarded: false,
      requestId: "b10c4a7be000",
      receivedAt: Date.now(),
      setCookies: [],
    };
    const page = new EmbeddedClient({ cookies, context, deviceName: () => Promise.resolve("") }, () =>
      Promise.resolve(way.backend),
    );
    const read = () =>
      Promise.all([page.call("userInit", {}), page.call("profile", {}), page.call("activity", {})]);
    vi.mocked(findSession).mockClear();
    expect((await read()).map(({ kind }) => kind)).toEqual(["done", "done", "done"]);
    expect(findSession).toHaveBeenCalledTimes(1);
    await page.call("deleteSession", {});
    expect((await read()).map(({ kind }) => kind)).toEqual(["signed-out", "signed-out", "signed-out"]);
  });

  it("a service that needs an active session can't be registered for a call that admits other callers", () => {
    type Service = typeof startDocumentPassword;
    const active: (service: Service) => Handler<"documentPasswordInit"> = json;
    // @ts-expect-error: anyone may call registerInit, so there may be no session.
    const open: (service: Service) => Handler<"registerInit"> = json;
    // @ts-expect-error: activateSessionInit admits pending sessions.
    const pending: (service: Service) => Handler<"activateSessionInit"> = json;
    expect([active, open, pending]).toEqual([json, json, json]);
  });
});
