import { describe, expect, test } from "vitest";
import { documentCsp, isOurCsp, STATIC_CSP } from "~/front-door/content-policy";
import { SECURITY_HEADERS } from "~/front-door/headers.server";

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

test("each security header is listed once, with a reason", () => {
  expect(new Set(SECURITY_HEADERS.map(({ name }) => name)).size).toBe(SECURITY_HEADERS.length);
  for (const { why } of SECURITY_HEADERS) expect(why.length).toBeGreaterThan(10);
});
