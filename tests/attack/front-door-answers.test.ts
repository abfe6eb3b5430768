import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SECURITY_HEADERS, STATIC_CSP } from "~/front-door/answer.server";
import { ask, startServer, type Answer, type TestServer } from "./front-door-server";

const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const SAME = (port: number) => ({ ...FORM, Origin: `http://127.0.0.1:${port}` });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Kind {
  readonly name: string;
  readonly ask: (port: number) => Promise<Answer>;
  readonly status: number;
  readonly cache?: string;
  readonly document?: true;
}

const kinds: Kind[] = [
  { name: "a document", ask: (port) => ask(port, "/home"), status: 200, document: true },
  {
    name: "the head of a document",
    ask: (port) => ask(port, "/home", { method: "HEAD" }),
    status: 200,
    document: true,
  },
  { name: "an unknown page", ask: (port) => ask(port, "/no-such-page"), status: 404, document: true },
  { name: "data of a screen", ask: (port) => ask(port, "/home.data"), status: 404 },
  {
    name: "a redirect for a script",
    ask: (port) => ask(port, "/away", { headers: { "X-Portal-Form": "1" } }),
    status: 204,
  },
  { name: "a redirect", ask: (port) => ask(port, "/away"), status: 302 },
  { name: "JSON of the API", ask: (port) => ask(port, "/home/api/user/info"), status: 200 },
  { name: "a rejected method", ask: (port) => ask(port, "/home", { method: "PUT" }), status: 405 },
  {
    name: "a rejected upload",
    ask: (port) =>
      ask(port, "/home", {
        method: "POST",
        headers: { ...SAME(port), "Content-Length": "70000" },
        body: "x".repeat(70_000),
      }),
    status: 413,
  },
  { name: "a failure outside the app", ask: (port) => ask(port, "/broken"), status: 500 },
  {
    name: "a hashed asset",
    ask: (port) => ask(port, "/assets/app-0a1b2c.js", { headers: { "Accept-Encoding": "gzip" } }),
    status: 200,
    cache: "public, max-age=31536000, immutable",
  },
  {
    name: "a missing asset",
    ask: (port) => ask(port, "/assets/gone.js"),
    status: 404,
    document: true,
  },
  { name: "a PDF", ask: (port) => ask(port, "/terms.pdf"), status: 200, cache: "public, max-age=3600" },
  {
    name: "a PDF of which only a part was asked for",
    ask: (port) => ask(port, "/terms.pdf", { headers: { Range: "bytes=0-3" } }),
    status: 200,
    cache: "public, max-age=3600",
  },
  {
    name: "an unchanged PDF",
    ask: (port) =>
      ask(port, "/terms.pdf", { headers: { "If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT" } }),
    status: 304,
    cache: "public, max-age=3600",
  },
];

describe.each(kinds)("$name ($status)", ({ ask: get, status, cache, document }) => {
  test("carries each security header once and names no library [S54, S72]", async () => {
    const answer = await get(server.port);
    expect(answer.status).toBe(status);
    for (const { name, value } of SECURITY_HEADERS) expect([name, answer.all(name)]).toEqual([name, [value]]);
    expect(answer.names.filter((name) => /^x-powered|^server$|remix/.test(name))).toEqual([]);
    expect(answer.all("Strict-Transport-Security")).toEqual([]);
  });

  test("has one content security policy, a strict one unless it is a document [S51]", async () => {
    const policies = (await get(server.port)).all("Content-Security-Policy");
    expect(policies).toHaveLength(1);
    expect(policies[0]).toContain("frame-ancestors 'none'");
    if (!document) expect(policies).toEqual([STATIC_CSP]);
  });

  test("is not stored anywhere, unless it is a file [S55]", async () => {
    expect((await get(server.port)).all("Cache-Control")).toEqual([cache ?? "no-store"]);
  });

  test("has one reference number, or none if it is a file", async () => {
    expect((await get(server.port)).all("X-Request-Id")).toHaveLength(cache ? 0 : 1);
  });
});

test("pages and redirects carry the cookies of the request's context beside those of the screen", async () => {
  const both = ["visit=1; Path=/", "flow=2; Path=/"];
  expect((await ask(server.port, "/home")).all("Set-Cookie").toSorted()).toEqual([
    "flow=2; Path=/",
    "own=3; Path=/",
    "visit=1; Path=/",
  ]);
  expect((await ask(server.port, "/away")).all("Set-Cookie")).toEqual(both);
});

test("no other site is ever allowed to read an answer [S57]", async () => {
  for (const method of ["OPTIONS", "GET"]) {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const answer = await ask(server.port, "/home/api/user/info", { method, headers });
    expect(answer.status).toBe(method === "GET" ? 200 : 405);
    expect(answer.names.filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("with an https origin, every kind of answer keeps customers on https for two years [S54]", async () => {
  const https = await startServer({ publicOrigin: "https://portal.example" });
  for (const path of [
    "/home",
    "/away",
    "/assets/app-0a1b2c.js",
    "/terms.pdf",
    "/broken",
    "/home?_data=root",
  ]) {
    const answer = await ask(https.port, path, { headers: { Host: "portal.example" } });
    expect([path, answer.all("Strict-Transport-Security")]).toEqual([
      path,
      ["max-age=63072000; includeSubDomains"],
    ]);
  }
  await https.stop();
});

describe("the cookies of a rejected request", () => {
  test.each([
    ["language=en", "language=en"],
    ["session=secret; language=en; flow=secret", "language=en"],
    ["language=en; language=pl", "language=en"],
    ["session=secret", null],
    ["other-language=en", null],
    ["language=", null],
    ["language=e", null],
    ["language=english", null],
    ["language=EN", null],
    ["language=%65n", null],
    ["language=en,session=secret", null],
  ])("with %s, the page gets %s", async (cookie, left) => {
    const answer = await ask(server.port, "/home", { method: "PUT", headers: { Cookie: cookie } });
    expect(JSON.parse(answer.body)).toMatchObject({ cookie: left });
  });
});
