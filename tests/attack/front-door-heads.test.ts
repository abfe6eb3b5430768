import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ask, raw, startServer, statuses, type TestServer } from "./front-door-server";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
beforeEach(() => {
  server.seen.length = 0;
});
/** Whatever was sent, the process is alive and serves the next visitor. */
afterEach(async () => {
  expect((await ask(server.port, "/home")).status).toBe(200);
});
afterAll(() => server.stop());

const HOST = "Host: 127.0.0.1\r\n";
const CLOSE = "Connection: close\r\n\r\n";
const FORM = "Content-Type: application/x-www-form-urlencoded\r\n";

// unit/server's decision.test.ts tries many more.
const targets = [
  "//",
  "//evil.example/",
  "/\\evil.example",
  "/home/%5c..",
  "/%",
  "/%00",
  "/home%0d%0aX: y",
  "/%ff",
  "/../etc/passwd",
  "/home/api/%2e%2e/%2e%2e/home",
  "/assets/..%2f..%2fpackage.json",
  "/home/.",
  "/home#fragment",
  "home",
  "ftp://127.0.0.1/home",
  "http://evil.example/home",
];

describe("a malformed target gets a 400 and reaches no screen [S66]", () => {
  test.each(targets)("%s", async (target) => {
    const answer = await raw(server.port, `GET ${target} HTTP/1.1\r\n${HOST}${CLOSE}`);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).not.toMatch(/express|remix|node_modules|Error:/i);
    expect(server.seen).toEqual([]);
  });
});

describe("requests Node can't parse reach no screen, and their connection is closed [S66, S67]", () => {
  const POST = `POST /home HTTP/1.1\r\n${HOST}${FORM}`;
  // More are in unreadable-requests.test.ts.
  test.each([
    ["a Content-Length with a sign", `${POST}Content-Length: +4\r\n\r\na=bc`],
    ["an obsolete line folding", `GET /home HTTP/1.1\r\n${HOST}X: a\r\n b\r\n${CLOSE}`],
    ["bare line feeds", "GET /home HTTP/1.1\nHost: 127.0.0.1\nConnection: close\n\n"],
    ["a bare carriage return", `GET /home HTTP/1.1\r\n${HOST}X: a\rb\r\n${CLOSE}`],
    ["a space before the colon", `GET /home HTTP/1.1\r\nHost : 127.0.0.1\r\n${CLOSE}`],
    ["NUL in a header", `GET /home HTTP/1.1\r\n${HOST}X: a\0b\r\n${CLOSE}`],
  ])("%s", async (_name, bytes) => {
    const answer = await raw(server.port, bytes);
    for (const status of statuses(answer)) expect(status).toBe(400);
    expect(statuses(answer).length).toBeLessThanOrEqual(1);
    expect(server.seen).toEqual([]);
  });

  test("[S112] CONNECT gets a 405 with our headers and its line in the log, and no tunnel", async () => {
    const answer = await raw(
      server.port,
      `CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\nGET /home HTTP/1.1\r\n`,
    );
    expect(statuses(answer)).toEqual([405]);
    expect(answer).toMatch(/^Allow: GET, HEAD, POST\r$/m);
    expect(answer).toMatch(/^Content-Security-Policy: /m);
    expect(server.rejections.at(-1)).toMatchObject({ status: 405, reason: "method" });
    expect(server.seen).toEqual([]);
  });

  test("[S112] CONNECT behind an unanswered request ends the connection", async () => {
    const slow = `GET /home HTTP/1.1\r\n${HOST}\r\n`;
    const answer = await raw(server.port, `${slow}CONNECT evil.example:443 HTTP/1.1\r\n${HOST}\r\n`);
    expect(statuses(answer).filter((status) => status !== 200)).toEqual([]);
  });
});

describe("an invalid or repeated Host gets a 400 [S59]", () => {
  test.each([
    ["none", ""],
    ["an empty one", "Host:\r\n"],
    ["two that agree", HOST + HOST],
    ["two that differ", `${HOST}hOST: evil.example\r\n`],
    ["a path in it", "Host: 127.0.0.1/evil\r\n"],
    ["a user in it", "Host: me@127.0.0.1\r\n"],
    ["a list", "Host: 127.0.0.1, evil.example\r\n"],
    ["a port too large", "Host: 127.0.0.1:99999\r\n"],
    ["an invalid IPv4 address", "Host: 999.999.999.999\r\n"],
    ["an invalid name", "Host: xn--a\r\n"],
    ["an invalid IPv6 address", "Host: [1::2::3]\r\n"],
    ["quotes", 'Host: "><script>\r\n'],
  ])("%s", async (_name, line) => {
    const answer = await raw(server.port, `GET /home HTTP/1.1\r\n${line}${CLOSE}`);
    expect(statuses(answer)).toEqual([400]);
    expect(answer).toContain("X-Request-Id: ");
    expect(server.seen).toEqual([]);
  });

  test("even in HTTP/1.0, which could do without a Host", async () => {
    expect(statuses(await raw(server.port, "GET /home HTTP/1.0\r\n\r\n"))).toEqual([400]);
  });

  test("an absolute target with the same host gets the same page (RFC 9112 §3.2.2)", async () => {
    const answer = await raw(server.port, `GET http://127.0.0.1/home?a=1 HTTP/1.1\r\n${HOST}${CLOSE}`);
    expect(statuses(answer)).toEqual([200]);
    expect(server.seen[0]?.url).toBe("http://127.0.0.1/home?a=1");
  });

  test("X-Forwarded-Host and similar headers never reach the app", async () => {
    const headers = {
      "X-Forwarded-Host": "evil.example:81",
      "X-Forwarded-Proto": "https",
      "X-Real-IP": "192.0.2.66",
      Forwarded: "for=192.0.2.66;host=evil.example",
    };
    await ask(server.port, "/home", { headers });
    const [seen] = server.seen;
    expect(seen?.url).toBe(`http://127.0.0.1:${server.port}/home`);
    expect([...(seen?.headers.keys() ?? [])].toSorted()).toEqual([
      "connection",
      "host",
      "x-forwarded-for",
      "x-received-at",
      "x-request-id",
    ]);
  });
});

describe("methods [S61]", () => {
  test.each(["PUT", "OPTIONS", "TRACE", "PROPFIND"])(
    "%s of a page gets a 405 that names the allowed methods",
    async (method) => {
      const answer = await raw(server.port, `${method} /home HTTP/1.1\r\n${HOST}X-Echo: secret\r\n${CLOSE}`);
      expect(statuses(answer)).toEqual([405]);
      expect(answer).toContain("\r\nAllow: GET, HEAD, POST\r\n");
      expect(answer).not.toContain("secret");
      expect(server.seen).toEqual([]);
    },
  );

  test("OPTIONS * gets a 405", async () => {
    expect(statuses(await raw(server.port, `OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}`))).toEqual([405]);
  });

  test.each(["PUT", "DELETE"])("%s reaches the API, however the prefix is written", async (method) => {
    for (const path of ["/home/api/x", "/HOME/Api/x", "/home/%61pi/x"]) {
      expect((await ask(server.port, path, { method })).status).toBe(200);
    }
    expect(server.seen.map((seen) => seen.method)).toEqual([method, method, method]);
  });

  test.each(["/home/apiary", "/home/ap", "/cpapi/x"])("%s is not the API", async (path) => {
    expect((await ask(server.port, path, { method: "PUT" })).status).toBe(405);
  });
});

describe("what an answer looks like", () => {
  test("a rejection under the API is marked as one", async () => {
    expect((await ask(server.port, "/home/api/x", { method: "PATCH" })).body).toContain('"api":true');
    expect((await ask(server.port, "/home", { method: "PATCH" })).body).toContain('"api":false');
  });

  test("the internal address of rejections is a 404 from outside", async () => {
    expect((await ask(server.port, "/refused/403")).status).toBe(404);
  });

  test("a rejected HEAD has no body, so the next answer is read correctly", async () => {
    const two = `HEAD //x HTTP/1.1\r\n${HOST}\r\nGET /home HTTP/1.1\r\n${HOST}${CLOSE}`;
    const answer = await raw(server.port, two);
    expect(statuses(answer)).toEqual([400, 200]);
    expect(answer).toMatch(/\r\n\r\nHTTP\/1\.1 200/);
  });

  test("a protocol upgrade is declined and the connection closed", async () => {
    const upgrade = `GET /home HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n`;
    const answer = await raw(server.port, `${upgrade}GET /away HTTP/1.1\r\n${HOST}\r\n`);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toContain("\r\nConnection: close\r\n");
  });
});
