import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { documentCsp, isOurCsp, STATIC_CSP } from "~/server/front-door/content-policy";
import type { RequestContext } from "~/server/front-door/context.server";
import { finalizeHeaders } from "~/server/front-door/headers.server";

function directives(policy: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of policy.split("; ")) {
    const [name = "", ...sources] = part.split(" ");
    found[name] = sources.join(" ");
  }
  return found;
}

describe("the policy of a document [S51]", () => {
  const styleHash = "sha256-YQ==";

  test("allows scripts that are our own files, our styles by hash, and nothing else", () => {
    expect(directives(documentCsp({ styleHash, https: true }))).toEqual({
      "default-src": "'none'",
      "script-src": "'self'",
      "style-src": "'self' 'sha256-YQ=='",
      "img-src": "'self'",
      "font-src": "'self'",
      "connect-src": "'self'",
      "form-action": "'self'",
      "base-uri": "'none'",
      "object-src": "'none'",
      "frame-ancestors": "'none'",
      "upgrade-insecure-requests": "",
    });
  });

  test("has no unsafe keyword and no nonce, and upgrades nothing if customers use http", () => {
    for (const https of [true, false]) {
      const policy = documentCsp({ styleHash, https });
      expect(policy).not.toMatch(/unsafe|nonce|\*|data:|http:/);
      expect(isOurCsp(policy)).toBe(true);
      expect(policy.includes("upgrade-insecure-requests")).toBe(https);
    }
  });
});

test("the policy of everything else loads, runs and frames nothing", () => {
  expect(isOurCsp(STATIC_CSP)).toBe(true);
  for (const value of Object.values(directives(STATIC_CSP))) expect(value).toBe("'none'");
});

test.each([undefined, "default-src 'none'", "default-src *", ["a", "b"], 7])(
  "%j is not our policy",
  (policy) => {
    expect(isOurCsp(policy)).toBe(false);
  },
);

describe("the headers of an answer", () => {
  /** What an answer with this status has in the end, whatever the app has set. */
  function headersOf(status: number, { https = true, backMayShow = false } = {}) {
    const context: RequestContext = {
      requestId: "0123456789ab",
      clientAddress: "127.0.0.1",
      isForwarded: false,
      receivedAt: Date.parse("2026-11-22T11:05:00Z"),
      setCookies: [],
      backMayShow,
    };
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const plan = { context, https, isForScript: false, allow: undefined, lastOfConnection: () => false };
    finalizeHeaders(response, plan);
    response.setHeader("Content-Type", "text/html; charset=utf-8");
    response.writeHead(status);
    return response.getHeaders();
  }

  test("[S54] over https it tells browsers to use https for at least a year; over http it doesn't", () => {
    const [, seconds] = /^max-age=(\d+)/.exec(String(headersOf(200)["strict-transport-security"])) ?? [];
    expect(Number(seconds)).toBeGreaterThanOrEqual(365 * 24 * 3600);
    expect(headersOf(200, { https: false })).not.toHaveProperty("strict-transport-security");
  });

  test("[S55] no browser keeps a page, but one that answers a form, and only for Back", () => {
    for (const status of [200, 303, 404, 500]) expect(headersOf(status)["cache-control"]).toBe("no-store");
    expect(headersOf(400, { backMayShow: true })["cache-control"]).toBe("private, no-cache");
    expect(headersOf(200, { backMayShow: true })["cache-control"]).toBe("no-store");
  });
});
