import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Answer } from "~/contract/refusal.server";
import { areCookiesBlocked, redirectToConsent } from "~/visit/browser.server";
import { pending, signedIn, signedOut } from "~/visit/gate.server";
import { openVisit } from "~/visit/visit.server";
import { calls, empty, json, never, replies, reset } from "./backend-stub";
import { CONSENT, type RouteArgs, SESSION, type Visit, type Who, endOf, visit, visitOf } from "./visit";

beforeEach(reset);

type Audience = "signed-out" | "pending" | "signed-in";

const GATES = { "signed-out": signedOut, pending, "signed-in": signedIn };

/** How a gate ended; if it let a visitor in, with the customer, or undefined for an unknown visitor. */
const knock = (audience: Audience) => (args: RouteArgs) =>
  endOf(GATES[audience](args).then((entered) => ("customer" in entered ? entered.customer : undefined)));

const signOut = async (args: RouteArgs) => (await openVisit(args)).signOut();

describe("the gate of a screen", () => {
  /** Visitor · gate · path · how a GET ends. A POST ends the same way, with 303: the browser goes on with a GET. */
  const TABLE: readonly (readonly [Who, Audience, string, string])[] = [
    ["without consent", "signed-out", "/home", "/home/cookies"],
    ["without consent", "pending", "/home/mfa", "/home/cookies"],
    ["without consent", "signed-in", "/cp", "/home/cookies"],
    ["signed out", "signed-out", "/home", "in"],
    ["signed out", "pending", "/home/mfa", "/home"],
    ["signed out", "signed-in", "/cp", "/home"],
    ["pending", "signed-out", "/home", "/home/mfa"],
    ["pending", "pending", "/home/mfa", "in"],
    ["pending", "signed-in", "/cp", "/home/mfa"],
    ["signed in", "signed-out", "/home", "/cp"],
    ["signed in", "signed-out", "/home/", "/cp"],
    ["signed in", "signed-out", "/home?index", "/cp"],
    ["signed in", "signed-out", "/home/register", "/home"],
    ["signed in", "pending", "/home/mfa", "/home"],
    ["signed in", "signed-in", "/cp", "in"],
    ["unknown, as the backend fails", "signed-out", "/home", "in"],
    ["unknown, as the backend fails", "pending", "/home/mfa", "/service"],
    ["unknown, as the backend fails", "signed-in", "/cp", "/service"],
  ];

  it.each(TABLE)("%s at a %s screen (%s): %s", async (who, audience, path, ends) => {
    for (const method of ["GET", "POST"] as const) {
      const ended = await visitOf(who, path, { method }).run(knock(audience));
      if (ends === "in") expect(ended).toMatchObject({ kind: "in" });
      else expect(ended).toEqual({ kind: "redirect", status: method === "GET" ? 302 : 303, to: ends });
    }
  });

  it("returns the customer it let in, or nobody", async () => {
    const customer = { name: "Anna Nowak", username: "anna.nowak" };
    expect(await visitOf("signed in", "/cp").run(knock("signed-in"))).toEqual({
      kind: "in",
      value: customer,
    });
    expect(await visitOf("pending", "/home/mfa").run(knock("pending"))).toEqual({
      kind: "in",
      value: customer,
    });
    expect(await visitOf("signed out", "/home").run(knock("signed-out"))).toEqual({
      kind: "in",
      value: undefined,
    });
  });

  it.each(["signed-out", "pending", "signed-in"] as const)(
    "if the backend is busy, a %s screen says how long to wait, and nobody is signed out",
    async (audience) => {
      for (const method of ["GET", "POST"] as const) {
        const visit = visitOf("unknown, as the backend is busy", "/home", { method });
        expect(await visit.run(knock(audience))).toEqual({ kind: "thrown", status: 503, retryAfter: "2" });
        expect(visit.setCookies).toEqual([]);
      }
      expect(calls).not.toContain("deleteSession");
    },
  );

  it("a visitor without consent causes no call to the backend", async () => {
    await visitOf("without consent", "/cp").run(knock("signed-in"));
    expect(calls).toEqual([]);
  });

  it("if the backend can't say who a visitor is, a POST signs them out, and a GET changes nothing", async () => {
    replies.deleteSession = () => empty(204, { "Set-Cookie": "session=; Max-Age=0; Path=/" });
    const get = visitOf("unknown, as the backend fails", "/cp");
    await get.run(knock("signed-in"));
    expect(calls).not.toContain("deleteSession");
    expect(get.setCookies).toEqual([]);

    const post = visitOf("unknown, as the backend fails", "/cp", { method: "POST" });
    await post.run(knock("signed-in"));
    expect(calls).toContain("deleteSession");
    expect(post.cookie("session")).toBe("");
    expect(post.cookie("flow")).toBe("");
  });
});

it.each([
  ["userInfo", "105", "GET"],
  ["userInit", "106", "GET"],
  ["userInit", "108", "POST"],
] as const)(
  "[F6] a customer whose account is barred (%s: %s, %s) is signed out and led to the start page",
  async (call, errorCode, method) => {
    const visiting = visitOf("signed in", "/cp", { method });
    replies[call] = () => json(400, { errorCode });
    replies.deleteSession = () => empty(204);
    expect(await visiting.run(knock("signed-in"))).toMatchObject({ kind: "redirect", to: "/home" });
    expect(calls).toContain("deleteSession");
    expect(visiting.cookie("session")).toBe("");
  },
);

describe("the outcome of a call", () => {
  const signedInPost = () =>
    visit("/home/mfa", { method: "POST", cookies: { ...CONSENT, session: SESSION } });
  const signedOutPost = () => visit("/home/register", { method: "POST", cookies: CONSENT });
  const TO_START = { kind: "redirect", status: 303, to: "/home" };
  const answered = (visit: Visit, answer: Answer<unknown>) =>
    visit.run((args) => endOf(openVisit(args).then((opened) => opened.redirectOnFailure(answer))));

  it("is handled by the screen if its form can show it", async () => {
    for (const answer of [
      { kind: "done", value: { username: "anna.nowak" } },
      { kind: "refused", errorCode: "101" },
      { kind: "invalid", fields: ["username"] },
      { kind: "rate-limited", retryAfterSeconds: 60 },
      { kind: "busy", retryAfterSeconds: 2 },
    ] as const) {
      const visit = signedInPost();
      expect(await answered(visit, answer)).toEqual({ kind: "in", value: answer });
      expect(visit.setCookies).toEqual([]);
    }
    expect(calls).toEqual([]);
  });

  it("401 leads to the start page, and any flow is forgotten", async () => {
    const visit = signedOutPost();
    expect(await answered(visit, { kind: "signed-out" })).toEqual(TO_START);
    expect(visit.cookie("flow")).toBe("");
    expect(calls).toEqual([]);
  });

  it("401 for a browser that still sends a session cookie leaves a notice for the start page", async () => {
    const visit = signedInPost();
    expect(await answered(visit, { kind: "signed-out" })).toEqual(TO_START);
    expect(visit.cookie("flow")).not.toBe("");
    expect(calls).toEqual([]);
  });

  it("409 leads to the code step", async () => {
    const visit = signedInPost();
    expect(await answered(visit, { kind: "not-activated" })).toEqual({
      kind: "redirect",
      status: 303,
      to: "/home/mfa",
    });
    expect(visit.setCookies).toEqual([]);
  });

  it("any other failure of a POST ends the session and leads to the error page", async () => {
    const visit = signedInPost();
    expect(await answered(visit, { kind: "failed" })).toEqual({
      kind: "redirect",
      status: 303,
      to: "/service",
    });
    expect(calls).toEqual(["deleteSession"]);
    // The sign-out failed at the backend, too, so the portal removes the cookie itself.
    expect(visit.cookie("session")).toBe("");
    expect(visit.cookie("flow")).toBe("");
  });
});

describe("signing out", () => {
  const leaving = () => visit("/home/logout", { method: "POST", cookies: { ...CONSENT, session: SESSION } });

  it("ends the session at the backend, and relays its cookie", async () => {
    replies.deleteSession = () => empty(204, { "Set-Cookie": "session=; Max-Age=0; Path=/; HttpOnly" });
    const visit = leaving();
    await visit.run(signOut);
    expect(calls).toEqual(["deleteSession"]);
    expect(visit.setCookies.filter((line) => line.startsWith("session="))).toEqual([
      "session=; Max-Age=0; Path=/; HttpOnly",
    ]);
  });

  it("forgets the flow; keeps the consent and the trusted device", async () => {
    const visit = leaving();
    await visit.run(signOut);
    expect(visit.setCookies.map((line) => line.split("=")[0])).toEqual(["flow", "session"]);
  });

  it("takes a second at most, even if the backend never answers", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    replies.deleteSession = never;
    const visit = leaving();
    let isOut = false;
    const ended = visit.run(signOut).then(() => (isOut = true));
    await vi.advanceTimersByTimeAsync(999);
    expect(isOut).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await ended;
    expect(visit.cookie("session")).toBe("");
  });
});

describe("the redirect to the consent screen", () => {
  const asked = (headers: Readonly<Record<string, string>>) => {
    const { request } = visit("/cp", { cookies: {}, headers });
    return redirectToConsent(request).headers.get("Location");
  };

  it("says nothing to visitors who come from anywhere else", () => {
    expect(asked({})).toBe("/home/cookies");
    expect(asked({ Referer: "http://portal.example/home" })).toBe("/home/cookies");
  });

  it("tells visitors who come from that screen without the cookie that their browser keeps none", () => {
    expect(asked({ Referer: "http://portal.example/home/cookies" })).toBe("/home/cookies?blocked");
    expect(asked({ Referer: "http://portal.example/home/cookies?blocked" })).toBe("/home/cookies?blocked");
  });

  it.each(["", "about:blank", "no address", "/home/cookies", "\u00ff"])(
    "is not confused by the Referer %j",
    (referer) => {
      expect(asked({ Referer: referer })).toBe("/home/cookies");
    },
  );
});

it.each([
  ["/home/cookies", {}, false],
  ["/home/cookies?blocked", {}, true],
  ["/home/cookies?blocked", CONSENT, false],
])("the consent screen at %s with %j says that cookies are blocked: %s", (path, cookies, said) => {
  expect(areCookiesBlocked(visit(path, { cookies }).request)).toBe(said);
});
