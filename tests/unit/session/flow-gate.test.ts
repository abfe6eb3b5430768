import { beforeEach, describe, expect, it, vi } from "vitest";
import { textsIn } from "~/i18n/texts.server";
import { noticeOf } from "~/screen/notice.server";
import { continueFlow } from "~/session/flow-gate.server";
import { leaveNotice, readFlow, rememberFlow, takeNotice, type Flow } from "~/session/flow.server";
import { enter, enterToConfirm } from "~/session/gate.server";
import { reset } from "./backend-stub";
import { CONSENT, endOf, SESSION, visit, visitOf } from "./visit";

vi.mock("~/client/send-to-backend.server", () => import("./backend-stub"));
vi.mock("~/platform/session-secrets.server", () => ({ sessionSecrets: () => ["s".repeat(32)] }));

beforeEach(reset);

/** The cookie of a browser that is in this flow. */
async function inFlow(flow: Flow): Promise<Readonly<Record<string, string>>> {
  const before = visit("/home", { method: "POST" });
  await before.run(() => rememberFlow(flow));
  return { ...CONSENT, flow: before.cookie("flow") ?? "" };
}

const REGISTERING: Flow = { name: "register", resent: false, policyNo: "POL-200001", pid: "72090811112" };

describe("a screen in the middle of a flow", () => {
  it("goes on with what the flow remembers", async () => {
    const cookies = await inFlow(REGISTERING);
    const here = visit("/home/set-password", { cookies });
    expect(await here.run((request) => continueFlow(request, "register"))).toEqual(REGISTERING);
    expect(here.setCookies).toEqual([]);
  });

  it.each([
    ["register", "/home/register"],
    ["reset-password", "/home/reset-password-init"],
    ["remind-username", "/home/remind-login-init"],
    ["reminded", "/home/remind-login-init"],
  ] as const)("[S39] opened half-way (%s) leads to its first screen", async (name, first) => {
    const here = visit("/home/set-password");
    const ended = await endOf(here.run((request) => continueFlow(request, name)));
    expect(ended).toEqual({ kind: "redirect", status: 302, to: first });
  });

  it("opened in another flow leads to its own first screen: what one remembers is nothing to another", async () => {
    const cookies = await inFlow(REGISTERING);
    const here = visit("/home/reset-password-submit", { cookies });
    const ended = await endOf(here.run((request) => continueFlow(request, "reset-password")));
    expect(ended).toMatchObject({ to: "/home/reset-password-init" });
  });

  it("that has expired says so where the flow starts again, to who sent something, and not to who just looked", async () => {
    for (const [method, notice] of [
      ["POST", "step-lost"],
      ["GET", undefined],
    ] as const) {
      const late = visit("/home/set-password", { method });
      await endOf(late.run((request) => continueFlow(request, "register")));
      const next = visit("/home/register", { cookies: { ...CONSENT, flow: late.cookie("flow") ?? "" } });
      expect(await next.run(takeNotice)).toBe(notice);
    }
  });
});

describe("a notice", () => {
  const t = textsIn();

  it.each([
    ["session-expired", "info"],
    ["step-lost", "warning"],
    ["password-changed", "success"],
    ["password-reset", "success"],
    ["username-changed", "success"],
    ["device-removed", "success"],
  ] as const)("%s is said in words, once", async (notice, kind) => {
    const before = visit("/home", { method: "POST" });
    await before.run(() => leaveNotice(notice));
    const next = visit("/home", { cookies: { ...CONSENT, flow: before.cookie("flow") ?? "" } });
    const said = await next.run((request) => noticeOf(request, t));
    expect(said?.kind).toBe(kind);
    expect(said?.text).toMatch(/^\p{Lu}.*\.$/u);
    expect(next.cookie("flow")).toBe("");
  });

  it("takes no flow away from who has none to be told", async () => {
    const cookies = await inFlow(REGISTERING);
    const here = visit("/home", { cookies });
    expect(await here.run((request) => noticeOf(request, t))).toBeUndefined();
    expect(here.setCookies).toEqual([]);
    expect(await here.run((request) => readFlow(request, "register"))).toEqual(REGISTERING);
  });
});

describe("a session that has ended meanwhile", () => {
  it("is told so on the start page; who never had one is not", async () => {
    for (const [cookies, notice] of [
      [{ session: SESSION }, "session-expired"],
      [{}, undefined],
    ] as const) {
      const late = visitOf("signed out", "/cp", { cookies });
      expect(await endOf(late.run((request) => enter(request, "signed-in")))).toMatchObject({ to: "/home" });
      const next = visit("/home", { cookies: { ...CONSENT, flow: late.cookie("flow") ?? "" } });
      expect(await next.run(takeNotice)).toBe(notice);
    }
  });
});

describe("the gate of a confirm", () => {
  const knock = (request: Request) => endOf(enterToConfirm(request, "pending"));

  it("[S24] lets the twin of a doubled submit through, whose session has just become another one", async () => {
    const twin = visitOf("signed out", "/home/mfa", { method: "POST", cookies: { session: SESSION } });
    expect(await twin.run(knock)).toEqual({ kind: "in", value: undefined });
  });

  it.each([
    ["pending", { kind: "in" }],
    ["signed out", { to: "/home" }],
    ["signed in", { to: "/home" }],
    ["without consent", { to: "/home/cookies" }],
  ] as const)("[S39] treats who is %s like any other gate", async (who, ended) => {
    expect(await visitOf(who, "/home/mfa", { method: "POST" }).run(knock)).toMatchObject(ended);
  });
});
