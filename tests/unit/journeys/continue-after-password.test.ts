import { beforeEach, describe, expect, it } from "vitest";
import type { RouteArgs } from "~/server/front-door/context.server";
import { continueAfterPassword } from "~/journeys/kit/continue-after-password";
import { weakPasswordNotice } from "~/journeys/kit/password-advice";
import { signInFlow } from "~/journeys/kit/flows";
import { openVisit } from "~/visit/visit.server";
import { calls, json, replies, reset } from "../visit/backend-stub";
import { CONSENT, endOf, SESSION, visit } from "../visit/visit";

const ADVICE = weakPasswordNotice("personal");
const adviceFor = ({ name }: { name: string }) =>
  Promise.resolve(name === "Anna Nowak" ? ADVICE : weakPasswordNotice("common"));

beforeEach(() => {
  reset();
  replies.userInfo = () => json(200, { name: "Anna Nowak", username: "anna.nowak" });
});

const proceed = async (args: RouteArgs) => continueAfterPassword(await openVisit(args));

/** A visit right after the password was accepted. */
const signingIn = () => visit("/home?index", { method: "POST", cookies: { ...CONSENT, session: SESSION } });

describe("what follows a right password", () => {
  it("[F5] on a trusted device the customer area follows at once, and learns that somebody has just signed in", async () => {
    replies.userInit = () => json(200, {});
    const first = signingIn();
    const outcome = await first.run(proceed);
    expect(outcome.kind === "redirect" && outcome.response.headers.get("Location")).toBe("/cp");
    expect(calls).toEqual(["userInfo", "userInit"]);
    const next = visit("/cp", { cookies: { ...CONSENT, flow: first.cookie("flow") ?? "" } });
    expect(await next.run(async (args) => (await openVisit(args)).takeNotice())).toMatchObject({
      texts: [],
      afterSignIn: true,
    });
  });

  it("on a new device a code is sent, and the screen for it follows and knows when that was", async () => {
    replies.userInit = () => json(409, {});
    replies.activateSessionInit = () => json(200, {});
    const first = signingIn();
    const before = Date.now();
    const outcome = await first.run(proceed);
    expect(outcome.kind === "redirect" && outcome.response.headers.get("Location")).toBe("/home/mfa");
    expect(calls).toEqual(["userInfo", "userInit", "activateSessionInit"]);

    const next = visit("/home/mfa", { cookies: { ...CONSENT, flow: first.cookie("flow") ?? "" } });
    const flow = await next.run(async (args) => (await openVisit(args)).flow(signInFlow));
    expect(flow).toMatchObject({ resent: false, trust: true });
    expect(flow?.codeSentAt).toBeGreaterThanOrEqual(before);
  });

  it("[S80] advice on a weak new password waits for the first page behind the sign-in", async () => {
    replies.userInit = () => json(200, {});
    const trusted = signingIn();
    await trusted.run(async (args) => continueAfterPassword(await openVisit(args), adviceFor));
    const next = visit("/cp", { cookies: { ...CONSENT, flow: trusted.cookie("flow") ?? "" } });
    expect(await next.run(async (args) => (await openVisit(args)).takeNotice())).toEqual({
      ...ADVICE,
      afterSignIn: true,
    });

    replies.userInit = () => json(409, {});
    replies.activateSessionInit = () => json(200, {});
    const untrusted = signingIn();
    await untrusted.run(async (args) => continueAfterPassword(await openVisit(args), adviceFor));
    const code = visit("/home/mfa", { cookies: { ...CONSENT, flow: untrusted.cookie("flow") ?? "" } });
    const flow = await code.run(async (args) => (await openVisit(args)).flow(signInFlow));
    expect(flow?.notice).toEqual(ADVICE);
  });

  it.each(["105", "106", "108", "999"])(
    "if the account gets no code (%s), the visitor is told and signed out",
    async (code) => {
      replies.userInit = () => json(409, {});
      replies.activateSessionInit = () => json(400, { errorCode: code });
      replies.deleteSession = () => json(500, {});
      const visit = signingIn();
      expect(await visit.run(proceed)).toEqual({ kind: "refused", errorCode: code });
      expect(calls).toEqual(["userInfo", "userInit", "activateSessionInit", "deleteSession"]);
      expect(visit.cookie("session")).toBe("");
    },
  );

  it.each([
    [429, "rate-limited", true],
    [503, "busy", false],
  ] as const)(
    "[F33] if no code can be sent now (%i), the screen for it follows and knows how long that lasts",
    async (status, errorCode, isCounted) => {
      replies.userInit = () => json(409, {});
      replies.activateSessionInit = () => json(status, { errorCode, retryAfterSeconds: 480 });
      const first = signingIn();
      const before = Date.now();
      const outcome = await first.run(proceed);
      expect(outcome.kind === "redirect" && outcome.response.headers.get("Location")).toBe("/home/mfa");
      expect(calls).not.toContain("deleteSession");

      const next = visit("/home/mfa", { cookies: { ...CONSENT, flow: first.cookie("flow") ?? "" } });
      const flow = await next.run(async (args) => (await openVisit(args)).flow(signInFlow));
      // A busy moment is over before anyone has read about it: the button to send a code is there at once.
      if (isCounted) expect(flow?.noCodeUntil).toBeGreaterThanOrEqual(before + 480_000);
      else expect(flow).toEqual({ resent: false, trust: true });
    },
  );

  it.each(["userInfo", "userInit", "activateSessionInit"] as const)(
    "a failure of %s signs the visitor out and leads to the error page",
    async (failing) => {
      replies.userInit = () => json(409, {});
      replies.activateSessionInit = () => json(200, {});
      replies[failing] = () => json(502, {});
      const visit = signingIn();
      expect(await endOf(visit.run(proceed))).toEqual({ kind: "redirect", status: 303, to: "/service" });
      expect(visit.cookie("session")).toBe("");
    },
  );
});
