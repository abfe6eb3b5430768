import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decide, type Decision, type RequestHead } from "~/server/front-door/decide";
import { compilePolicy, type FrontDoorPolicy } from "~/server/front-door/policy";
import { LIMITS } from "~/platform/config/limits";
import { processorTime } from "../../../processor-time";

const policy: FrontDoorPolicy = {
  publicOrigin: "https://portal.example",
  backendHosts: ["backend.internal"],
  trustedProxies: [],
  limits: LIMITS,
  languageCookie: "language",
};
const rules = compilePolicy(policy);
const anywhere = compilePolicy({ ...policy, publicOrigin: undefined });

function head(line: string, headers: RequestHead["headers"] = {}): RequestHead {
  const [method, url] = line.split(" ");
  const host = headers.host ?? "portal.example";
  return { method, url, headers: { ...headers, host }, rawHeaders: ["Host", host] };
}

function verdict(decision: Decision): string {
  return decision.kind === "pass" ? "come in" : `${decision.status} ${decision.reason}`;
}

const FORM = { "content-type": "application/x-www-form-urlencoded", "content-length": "3" };
const OURS = { ...FORM, origin: "https://portal.example" };
const EVIL = { ...FORM, origin: "https://evil.example" };

describe("what gets in, and what is rejected for which reason", () => {
  test.each<[string, RequestHead["headers"], string]>([
    ["GET /home", {}, "come in"],
    ["HEAD /home?a=1&b=%C5%BC", {}, "come in"],
    ["GET /.well-known/change-password", {}, "come in"],
    ["GET /home/api/user/klient%2E1/x", {}, "come in"],
    ["POST /home", OURS, "come in"],
    ["PUT /cp/api/doc-pwd/create/init", { "content-type": "application/json" }, "come in"],
    ["DELETE /home/api/session", {}, "come in"],
    ["GET /home?x&_data=root", {}, "404 route-data"],
    ["GET /home?%5Fdata=root", {}, "404 route-data"],
    ["GET /home?_routes=root", {}, "404 route-data"],
    ["GET /home.data", {}, "404 route-data"],
    ["GET /home%2Edata", {}, "404 route-data"],
    ["POST /home.data?index", OURS, "404 route-data"],
    ["GET /__manifest?version=1", {}, "404 route-data"],
    ["PUT /home.data", OURS, "405 method"],
    ["GET /home?document_data=1", {}, "come in"],
    ["GET /home?a=b.data", {}, "come in"],
    ["POST /home", { "content-length": "0" }, "come in"],
  ])("%s %j: %s", (line, headers, expected) => {
    expect(verdict(decide(head(line, headers), rules))).toBe(expected);
  });

  test.each([
    [`/${"a".repeat(1999)}`, "come in"],
    [`/${"a".repeat(2000)}`, "414 too-long"],
    [`/?${"a".repeat(1999)}`, "414 too-long"],
    ["/a".repeat(16), "come in"],
    ["/a".repeat(17), "404 too-deep"],
    [`/${"a%2f".repeat(16)}`, "404 too-deep"],
    [`/home?${"/a".repeat(17)}`, "come in"],
  ])("[S104] the address %j: %s", (url, expected) => {
    expect(verdict(decide(head(`GET ${url}`), rules))).toBe(expected);
  });

  test.each([
    [{ origin: "https://portal.example" }, "come in"],
    [{ origin: "https://portal.example", "sec-fetch-site": "same-origin" }, "come in"],
    [{ referer: "https://portal.example/home" }, "come in"],
    [{ origin: "https://evil.example" }, "403 cross-site"],
    [{ origin: "http://portal.example" }, "403 cross-site"],
    [{ origin: "null" }, "403 cross-site"],
    [{ origin: "https://portal.example", "sec-fetch-site": "cross-site" }, "403 cross-site"],
    [{ "sec-fetch-site": "same-site" }, "403 cross-site"],
    [{ referer: "https://evil.example/https://portal.example" }, "403 cross-site"],
  ])("[S49] a write with %j: %s", (headers, expected) => {
    expect(verdict(decide(head("POST /home", { ...FORM, ...headers }), rules))).toBe(expected);
    expect(verdict(decide(head("PUT /cp/api/doc-pwd/create/init", { ...FORM, ...headers }), rules))).toBe(
      expected,
    );
  });

  test("[S104] the size of an address is checked before Host and method", () => {
    const elsewhere = { ...EVIL, host: "evil.example" };
    expect(verdict(decide(head(`PUT ${"/a".repeat(17)}`, elsewhere), rules))).toBe("404 too-deep");
    expect(verdict(decide(head(`PUT /${"a".repeat(2000)}`, elsewhere), rules))).toBe("414 too-long");
  });

  test("the address is checked before the method, the method before the origin, the origin before the body", () => {
    const worst = { ...EVIL, "content-length": "99999", "content-encoding": "br" };
    expect(verdict(decide(head("PUT //", worst), rules))).toBe("400 target");
    expect(verdict(decide(head("PUT /home", { ...worst, host: "evil.example" }), rules))).toBe("400 host");
    expect(verdict(decide(head("PUT /home", worst), rules))).toBe("405 method");
    expect(verdict(decide(head("POST /home", worst), rules))).toBe("403 cross-site");
    expect(verdict(decide(head("POST /home", { ...worst, origin: OURS.origin }), rules))).toBe(
      "413 too-large",
    );
  });

  test("the rejection of a call is marked as one, and a 405 lists the methods", () => {
    expect(decide(head("PATCH /cp/api"), rules)).toMatchObject({
      api: true,
      allow: "GET, HEAD, POST, PUT, DELETE",
    });
    expect(decide(head("PATCH /cp/apis"), rules)).toMatchObject({ api: false, allow: "GET, HEAD, POST" });
  });

  test("an absolute target is shortened to the path the app expects", () => {
    const short = (url: string) => decide(head(`GET ${url}`), rules);
    expect(short("http://Portal.Example/home?a")).toEqual({ kind: "pass", target: "/home?a" });
    expect(short("https://portal.example?a")).toEqual({ kind: "pass", target: "/?a" });
    expect(short("https://portal.example//evil")).toMatchObject({ reason: "target" });
    expect(short("https://me@portal.example/")).toMatchObject({ reason: "host" });
  });
});

describe("for any input", () => {
  const fragment = fc.constantFrom(
    "/",
    "//",
    "\\",
    ".",
    "..",
    "%",
    "%2f",
    "%5C",
    "%00",
    "%c5",
    "%bc",
    "?",
    "#",
    "home",
    "api",
    "cp",
    ":",
    "@",
    "http:",
    "_data",
    "_routes",
    ".data",
    "=",
    "&",
    "\x7f",
    "\t",
    "ż",
  );
  const target = fc
    .array(fc.oneof(fragment, fc.string({ maxLength: 4 })), { maxLength: 12 })
    .map((parts) => parts.join(""));

  test("there is a decision, and an accepted address means the same to every parser [S66]", () => {
    const method = fc.constantFrom("GET", "POST", "PUT", "DELETE");
    fc.assert(
      fc.property(method, target, (verb, url) => {
        const decision = decide({ ...head("GET /"), method: verb, url }, anywhere);
        if (decision.kind === "rejected") return;
        const local = decision.target ?? url;
        const path = local.split("?")[0] ?? "";
        const read = new URL(`http://portal.example${local}`);
        expect(read.host).toBe("portal.example");
        expect(decodeURIComponent(read.pathname)).toBe(decodeURIComponent(path));
        expect(read.searchParams.has("_data") || read.searchParams.has("_routes")).toBe(false);
        expect(decodeURIComponent(read.pathname)).not.toMatch(/\.data$/);
        if (verb === "PUT") expect(decodeURIComponent(read.pathname)).toMatch(/^\/(home|cp)\/api(\/|$)/i);
      }),
      { numRuns: 20_000 },
    );
  });

  test("a decision takes less than 50 ms, however hostile the head [S75]", async () => {
    const long = 16_000;
    const hostile = [
      "/".padEnd(long, "%41"),
      "/".padEnd(long, "/."),
      "http://".padEnd(long, "a"),
      `/?${"_data%".repeat(2000)}`,
      `/?${"%5fdat=".repeat(2000)}`,
      `/${".data".repeat(3000)}`,
    ];
    for (const url of hostile) {
      const time = await processorTime(() => {
        decide({ ...head("GET /"), url }, rules);
        decide(head("POST /home", { ...FORM, referer: url, host: "a.".repeat(8000) }), anywhere);
      });
      expect(time).toBeLessThan(50);
    }
  });
});
