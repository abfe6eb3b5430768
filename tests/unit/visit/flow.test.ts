import { EncryptJWT } from "jose";
import { createHash, randomBytes } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { RouteArgs } from "~/server/front-door/context.server";
import { LIMITS } from "~/platform/config/limits";
import { signInFlow } from "~/journeys/kit/flows";
import { openVisit } from "~/visit/visit.server";
import { visit } from "./visit";

const OLD = randomBytes(32).toString("hex");
const NEW = randomBytes(32).toString("hex");
/** The portal's secrets, the current one first. */
let secrets = [OLD];
const REMEMBERED = { codeSentAt: 1_795_000_000_000, resent: true, trust: false };

beforeEach(() => {
  secrets = [OLD];
  vi.useFakeTimers({ now: new Date("2026-11-20T10:00:00Z"), toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const remember = async (args: RouteArgs) => (await openVisit(args)).remember(signInFlow, REMEMBERED);

/** A request of a browser to this portal. */
const asking = (cookies: Readonly<Record<string, string>>) =>
  visit("/home/mfa", { method: "POST", cookies, variables: { SESSION_SECRET: secrets.join() } });

/** The cookie that an answer sets for a browser's flow. */
async function sealed(browser = "mine"): Promise<string> {
  const answering = asking({ browser });
  await answering.run(remember);
  return answering.cookie("flow") ?? "";
}

/** Reads the sign-in flow from this cookie in a browser. */
const read = (cookie: string, browser = "mine") =>
  asking({ flow: cookie, browser }).run(async (args) => (await openVisit(args)).flow(signInFlow));

describe("what a flow remembers", () => {
  it("comes back unchanged from the browser", async () => {
    expect(await read(await sealed())).toEqual(REMEMBERED);
  });

  it("[S113] doesn't come back from another browser, whether that has a cookie of its own or none", async () => {
    const cookie = await sealed();
    expect(await read(cookie, "another")).toBeUndefined();
    expect(await read(cookie, "")).toBeUndefined();
  });

  it("is unreadable in the cookie", async () => {
    const cookie = await sealed();
    const inside = cookie.split(".").map((part) => Buffer.from(part, "base64url").toString("latin1"));
    for (const text of [cookie, ...inside])
      expect(text).not.toMatch(/sign-in|codeSentAt|trust|1795000000000/);
    expect(await sealed()).not.toBe(cookie);
  });

  it("travels in a cookie of less than 4 KB that scripts can't read, for a quarter of an hour", async () => {
    const answering = asking({});
    await answering.run(remember);
    const [line = ""] = answering.setCookies;
    expect(line).toMatch(/; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(line.length).toBeLessThan(4096);
  });

  it("is gone after a quarter of an hour, even if the browser keeps the cookie", async () => {
    const cookie = await sealed();
    vi.setSystemTime(Date.now() + LIMITS.FLOW_SECONDS * 1000 - 1000);
    expect(await read(cookie)).toBeDefined();
    vi.setSystemTime(Date.now() + 2000);
    expect(await read(cookie)).toBeUndefined();
  });

  it("can be forgotten by an answer, and the last change counts", async () => {
    const answering = asking({});
    await answering.run(async (args) => {
      await remember(args);
      (await openVisit(args)).forgetFlow();
    });
    expect(answering.setCookies).toEqual(["flow=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax"]);
    await answering.run(remember);
    expect(answering.setCookies).toHaveLength(1);
    expect(await read(answering.cookie("flow") ?? "", "")).toEqual(REMEMBERED);
  });

  it("[S89] survives a change of the secret while the old one is still listed", async () => {
    const cookie = await sealed();
    secrets = [NEW, OLD];
    expect(await read(cookie)).toEqual(REMEMBERED);
    const renewed = await sealed();
    secrets = [NEW];
    expect(await read(renewed)).toEqual(REMEMBERED);
    expect(await read(cookie)).toBeUndefined();
  });
});

describe("a flow cookie that is not ours counts as none", () => {
  /** Seals other contents with the right key, as an earlier version of the portal may have done. */
  const sealedPayload = (payload: Record<string, unknown>) =>
    new EncryptJWT(payload)
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .setExpirationTime(Math.floor(Date.now() / 1000) + 900)
      .encrypt(
        createHash("sha256")
          .update(JSON.stringify(["flow cookie", OLD, "mine"]))
          .digest(),
      );

  it.each([
    ["nothing", ""],
    ["one word", "flow"],
    ["dots", "...."],
    ["a token without encryption", "eyJhbGciOiJub25lIn0.eyJmbG93Ijp7Im5hbWUiOiJzaWduLWluIn19."],
    ["8 KB", "A".repeat(8192)],
    ["bytes", "%00%FF%C3"],
    ["plain JSON", '{"name":"sign-in"}'],
  ])("%s", async (_what, cookie) => {
    expect(await read(cookie)).toBeUndefined();
  });

  it("one with any single character changed", async () => {
    const cookie = await sealed();
    for (let at = 0; at < cookie.length; at += 7) {
      const changed = cookie.slice(0, at) + (cookie[at] === "x" ? "y" : "x") + cookie.slice(at + 1);
      expect(await read(changed), `character ${at}`).toBeUndefined();
    }
  });

  it("one sealed with a different secret", async () => {
    secrets = [NEW];
    const foreign = await sealed();
    secrets = [OLD];
    expect(await read(foreign)).toBeUndefined();
  });

  it("one that opens, but has another shape", async () => {
    for (const payload of [
      {},
      { flow: null },
      { flow: "sign-in" },
      { flow: { name: "toString" } },
      { flow: { name: "sign-in", codeSentAt: "now" } },
      { flow: { name: "sign-in", trust: "Y" } },
    ]) {
      expect(await read(await sealedPayload(payload)), JSON.stringify(payload)).toBeUndefined();
    }
    expect(await read(await sealedPayload({ flow: { name: "sign-in" } }))).toEqual({
      resent: false,
      trust: true,
    });
  });
});
