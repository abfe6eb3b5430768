import { beforeEach, describe, expect, it } from "vitest";
import type { RouteArgs } from "~/server/front-door/context.server";
import { passwordChangedNotice } from "~/journeys/kit/password-advice";
import { USERNAME_CHANGED } from "~/journeys/change-username/change-login";
import { DEVICE_REMOVED } from "~/journeys/customer-area/profile-changes";
import { noticeText } from "~/journeys/kit/notice";
import { registration } from "~/journeys/register/register";
import { PASSWORD_RESET } from "~/journeys/reset-password/reset-password-init";
import { pendingOrDoubleSubmit, signedIn } from "~/visit/gate.server";
import { EXPIRED_UNSAVED, SESSION_EXPIRED, STEP_LOST } from "~/visit/flow.server";
import { openVisit } from "~/visit/visit.server";
import { reset } from "./backend-stub";
import { CONSENT, endOf, SESSION, visit, visitOf } from "./visit";

beforeEach(reset);

const takeNotice = async (args: RouteArgs) => (await openVisit(args)).takeNotice();

/** The cookies of a browser in the middle of a registration. */
async function registering(): Promise<Readonly<Record<string, string>>> {
  const before = visit("/home", { method: "POST" });
  await before.run(async (args) => (await openVisit(args)).remember(registration, REGISTERING));
  return { ...CONSENT, flow: before.cookie("flow") ?? "" };
}

const REGISTERING = { resent: false, policyNo: "POL-200001", pid: "72090811112" };

describe("a screen in the middle of a journey", () => {
  it("continues with what the flow remembers", async () => {
    const cookies = await registering();
    const here = visit("/home/set-password", { cookies });
    expect(await here.run(async (args) => (await openVisit(args)).requireFlow(registration))).toEqual(
      REGISTERING,
    );
    expect(here.setCookies).toEqual([]);
  });

  it("whose flow is gone says so on the first screen if a form was sent, not if it was only opened", async () => {
    for (const [method, notice] of [
      ["POST", STEP_LOST],
      ["GET", undefined],
    ] as const) {
      const late = visit("/home/set-password", { method });
      await endOf(late.run(async (args) => (await openVisit(args)).requireFlow(registration)));
      const next = visit("/home/register", { cookies: { ...CONSENT, flow: late.cookie("flow") ?? "" } });
      expect(await next.run(takeNotice)).toEqual(notice);
    }
  });
});

describe("a notice", () => {
  it.each([
    ["session-expired", SESSION_EXPIRED, "info"],
    ["session-expired-unsaved", EXPIRED_UNSAVED, "info"],
    ["step-lost", STEP_LOST, "warning"],
    ["password-changed", passwordChangedNotice(), "success"],
    ["password-reset", PASSWORD_RESET, "success"],
    ["username-changed", USERNAME_CHANGED, "success"],
    ["device-removed", DEVICE_REMOVED, "success"],
  ] as const)("%s is said in words, once", async (_name, notice, kind) => {
    const before = visit("/home", { method: "POST" });
    await before.run(async (args) => (await openVisit(args)).leaveNotice(notice));
    const next = visit("/home", { cookies: { ...CONSENT, flow: before.cookie("flow") ?? "" } });
    const said = await next.run(async (args) => noticeText(await openVisit(args)));
    expect(said?.kind).toBe(kind);
    expect(said?.text).toMatch(/^\p{Lu}.*\.$/u);
    expect(next.cookie("flow")).toBe("");
  });

  it("that isn't there leaves a visitor's flow alone", async () => {
    const cookies = await registering();
    const here = visit("/home", { cookies });
    expect(await here.run(async (args) => noticeText(await openVisit(args)))).toBeUndefined();
    expect(here.setCookies).toEqual([]);
    expect(await here.run(async (args) => (await openVisit(args)).flow(registration))).toEqual(REGISTERING);
  });
});

describe("a session that has ended", () => {
  it("is announced after a form that changes something, with the words that nothing was saved", async () => {
    for (const [path, notice] of [
      ["/cp/profile", EXPIRED_UNSAVED],
      ["/home/mfa", SESSION_EXPIRED],
    ] as const) {
      const late = visitOf("signed out", path, { method: "POST", cookies: { session: SESSION } });
      expect(await endOf(late.run(signedIn))).toMatchObject({ to: "/home" });
      const next = visit("/home", { cookies: { ...CONSENT, flow: late.cookie("flow") ?? "" } });
      expect(await next.run(takeNotice)).toEqual(notice);
    }
  });

  it("is announced on the start page, but not to visitors who never had one", async () => {
    for (const [cookies, notice] of [
      [{ session: SESSION }, SESSION_EXPIRED],
      [{}, undefined],
    ] as const) {
      const late = visitOf("signed out", "/cp", { cookies });
      expect(await endOf(late.run(signedIn))).toMatchObject({ to: "/home" });
      const next = visit("/home", { cookies: { ...CONSENT, flow: late.cookie("flow") ?? "" } });
      expect(await next.run(takeNotice)).toEqual(notice);
    }
  });
});

describe("the gate of a confirm", () => {
  const knock = (args: RouteArgs) => endOf(pendingOrDoubleSubmit(args));

  it("[S24] lets the second of two submits through, though its session has just been replaced", async () => {
    const twin = visitOf("signed out", "/home/mfa", { method: "POST", cookies: { session: SESSION } });
    expect(await twin.run(knock)).toMatchObject({ kind: "in" });
  });

  it.each([
    ["pending", { kind: "in" }],
    ["signed out", { to: "/home" }],
    ["signed in", { to: "/home" }],
    ["without consent", { to: "/home/cookies" }],
  ] as const)("[S39] answers a visitor (%s) with %j", async (who, ended) => {
    expect(await visitOf(who, "/home/mfa", { method: "POST" }).run(knock)).toMatchObject(ended);
  });
});
