import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { STATIC_CSP } from "~/server/front-door/content-policy";
import { SECURITY_HEADERS } from "~/server/front-door/headers.server";
import type { HttpAnswer } from "../http-request";
import { ask, startServer, type TestServer } from "./front-door-server";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

interface Kind {
  readonly name: string;
  readonly ask: (port: number) => Promise<HttpAnswer>;
  readonly status: number;
  readonly cache?: string;
  readonly document?: true;
}

// The portal's own answers are tested in serving/answers.test.ts; these are its files, and cases it has no address for.
const kinds: Kind[] = [
  {
    name: "the head of a document",
    ask: (port) => ask(port, "/home", { method: "HEAD" }),
    status: 200,
    document: true,
  },
  { name: "a failure outside the app", ask: (port) => ask(port, "/broken"), status: 500 },
  {
    name: "a hashed asset",
    ask: (port) => ask(port, "/assets/app-0a1b2c.js", { headers: { "Accept-Encoding": "gzip" } }),
    status: 200,
    cache: "public, max-age=31536000, immutable",
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

test.each(kinds)(
  "$name ($status) carries each security header once, and only a file is stored [S51, S54, S55, S72]",
  async ({ ask: get, status, cache, document }) => {
    const answer = await get(server.port);
    expect(answer.status).toBe(status);
    for (const { name, value } of SECURITY_HEADERS)
      expect([name, answer.lines(name)]).toEqual([name, [value]]);
    expect(answer.headerNames.filter((name) => /^x-powered|^server$|remix/.test(name))).toEqual([]);
    expect(answer.lines("Strict-Transport-Security")).toEqual([]);
    const policy: unknown = document ? expect.stringContaining("frame-ancestors 'none'") : STATIC_CSP;
    expect(answer.lines("Content-Security-Policy")).toEqual([policy]);
    expect(answer.lines("Cache-Control")).toEqual([cache ?? "no-store"]);
    expect(answer.lines("X-Request-Id")).toHaveLength(cache ? 0 : 1);
  },
);

test("pages and redirects carry the cookies of the request's context beside those of the screen", async () => {
  const both = ["visit=1; Path=/", "flow=2; Path=/"];
  expect((await ask(server.port, "/home")).lines("Set-Cookie").toSorted()).toEqual([
    "flow=2; Path=/",
    "own=3; Path=/",
    "visit=1; Path=/",
  ]);
  expect((await ask(server.port, "/away")).lines("Set-Cookie")).toEqual(both);
});

test("no other site is ever allowed to read an answer [S57]", async () => {
  for (const method of ["OPTIONS", "GET"]) {
    const headers = { Origin: "https://evil.example", "Access-Control-Request-Method": "POST" };
    const answer = await ask(server.port, "/home/api/user/info", { method, headers });
    expect(answer.status).toBe(method === "GET" ? 200 : 405);
    expect(answer.headerNames.filter((name) => name.startsWith("access-control"))).toEqual([]);
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
    expect([path, answer.lines("Strict-Transport-Security")]).toEqual([
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
    ["other-language=en", null],
    ["language=english", null],
    ["language=%65n", null],
    ["language=en,session=secret", null],
  ])("with %s, the page gets %s", async (cookie, left) => {
    const answer = await ask(server.port, "/home", { method: "PUT", headers: { Cookie: cookie } });
    expect(JSON.parse(answer.body)).toMatchObject({ cookie: left });
  });
});
