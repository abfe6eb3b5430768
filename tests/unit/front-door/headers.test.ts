import { describe, expect, test } from "vitest";
import { documentCsp, isOurCsp, SECURITY_HEADERS, STATIC_CSP } from "~/front-door/headers";

function directives(policy: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const part of policy.split("; ")) {
    const [name = "", ...sources] = part.split(" ");
    found[name] = sources.join(" ");
  }
  return found;
}

describe("the policy of a document [S51]", () => {
  const given = { nonce: "bm9uY2U=", styleHashes: ["sha256-YQ==", "sha256-Yg=="], https: true };

  test("allows our scripts by nonce, our styles by hash, and nothing else", () => {
    expect(directives(documentCsp(given))).toEqual({
      "default-src": "'none'",
      "script-src": "'self' 'nonce-bm9uY2U=' 'strict-dynamic'",
      "style-src": "'self' 'sha256-YQ==' 'sha256-Yg=='",
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

  test("never contains an unsafe keyword, with or without scripts, styles and https", () => {
    for (const https of [true, false]) {
      for (const styleHashes of [[], ["sha256-YQ=="]]) {
        const policies = [
          documentCsp({ nonce: "YQ==", styleHashes, https }),
          documentCsp({ styleHashes, https }),
        ];
        for (const policy of policies) {
          expect(policy).not.toMatch(/unsafe|\*|data:|http:/);
          expect(isOurCsp(policy)).toBe(true);
        }
      }
    }
  });

  test("runs no script without a nonce, and upgrades nothing if customers use http", () => {
    const plain = directives(documentCsp({ styleHashes: [], https: false }));
    expect(plain["script-src"]).toBe("'none'");
    expect(plain).not.toHaveProperty("upgrade-insecure-requests");
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
