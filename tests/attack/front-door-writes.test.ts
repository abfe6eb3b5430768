import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { FROM_SCRIPT } from "../visitor";
import { ask, raw, startServer, statuses, type TestServer } from "./front-door-server";

const PUBLIC = "https://portal.example";
const FORM = "application/x-www-form-urlencoded";
/** The beginning of a form's head. */
const POST = `POST /home HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: ${FORM}\r\n`;

let open: TestServer;
let configured: TestServer;
beforeAll(async () => {
  open = await startServer();
  configured = await startServer({
    publicOrigin: PUBLIC,
    backendHosts: ["Backend.internal:8080"],
    trustedProxies: ["127.0.0.1"],
  });
});
beforeEach(() => {
  open.seen.length = 0;
  configured.seen.length = 0;
});
afterAll(async () => {
  await open.stop();
  await configured.stop();
});

const post = (port: number, headers: Record<string, string>, path = "/home", body = "a=b", method = "POST") =>
  ask(port, path, { method, headers: { "Content-Type": FORM, ...headers }, body });

/** The actions that ran, without the loads that follow them. */
const writes = (server: TestServer) => server.seen.filter(({ method }) => method !== "GET");

describe("a write must come from our own pages or from a client that is not a browser [S49]", () => {
  // More rows are in unit/server's decision.test.ts.
  const matrix: readonly [string, Record<string, string>, number][] = [
    ["our origin", { Origin: PUBLIC }, 200],
    ["another origin", { Origin: "https://evil.example" }, 403],
    ["our host on another port", { Origin: "https://portal.example:8443" }, 403],
    ["a name that begins like ours", { Origin: "https://portal.example.evil.example" }, 403],
    ["a name that ends like ours", { Origin: "https://evilportal.example" }, 403],
    ["a sibling host", { Origin: "https://www.portal.example" }, 403],
    ["ours with a slash", { Origin: "https://portal.example/" }, 403],
    ["ours in capitals", { Origin: "HTTPS://PORTAL.EXAMPLE" }, 403],
    ["an empty one", { Origin: "" }, 403],
    ["two", { Origin: `${PUBLIC}, https://evil.example` }, 403],
    ["none", {}, 200],
    ["none, but the browser says cross-site", { "Sec-Fetch-Site": "cross-site" }, 403],
    ["none, started by the user", { "Sec-Fetch-Site": "none" }, 200],
    ["none, from our page with its port", { Referer: `${PUBLIC}:443/home` }, 200],
    ["none, from a page that hides behind our name", { Referer: `${PUBLIC}@evil.example/` }, 403],
    ["none, from our host over http", { Referer: "http://portal.example/home" }, 403],
    ["none, from no page", { Referer: "about:blank" }, 403],
    ["none, from nonsense", { Referer: "-" }, 403],
    ["another origin, our page", { Origin: "https://evil.example", Referer: `${PUBLIC}/home` }, 403],
    [
      "another origin, named by X-Forwarded-Host",
      { Origin: "https://evil.example", "X-Forwarded-Host": "evil.example" },
      403,
    ],
  ];

  test.each(matrix)("%s", async (_name, headers, status) => {
    for (const [path, more] of [
      ["/home", {}],
      ["/home", FROM_SCRIPT],
      ["/home/api/x", {}],
    ] as const) {
      const answer = await post(configured.port, { Host: "portal.example", ...headers, ...more }, path);
      expect([path, answer.status]).toEqual([path, status]);
    }
    expect(writes(configured)).toHaveLength(status === 200 ? 3 : 0);
  });

  test("reads are allowed from any link", async () => {
    const headers = {
      Host: "portal.example",
      Origin: "https://evil.example",
      "Sec-Fetch-Site": "cross-site",
    };
    expect((await ask(configured.port, "/home", { headers })).status).toBe(200);
  });

  test("without a public origin, the origin is http with the Host", async () => {
    const host = `127.0.0.1:${open.port}`;
    expect((await post(open.port, { Origin: `http://${host}` })).status).toBe(200);
    expect((await post(open.port, { Origin: `https://${host}` })).status).toBe(403);
    expect((await post(open.port, { Origin: "http://127.0.0.1" })).status).toBe(403);
    expect((await post(open.port, { Host: "localhost:80", Origin: "http://localhost" })).status).toBe(200);
    expect((await post(open.port, { Host: "LocalHost", Referer: "http://localhost/home" })).status).toBe(200);
    expect((await post(open.port, { Host: "[::1]:3000", Origin: "http://[::1]:3000" })).status).toBe(200);
  });

  test("the app never sees an Origin header, so no library rejects a request in its own words", async () => {
    await post(configured.port, {
      Host: "portal.example",
      Origin: PUBLIC,
      "X-Forwarded-Host": "evil.example",
    });
    expect(configured.seen[0]?.headers.has("origin")).toBe(false);
    expect(configured.seen[0]?.headers.has("x-forwarded-host")).toBe(false);
  });
});

describe("Host, with a public origin configured [S59]", () => {
  test.each([
    ["/home", "portal.example", 200],
    ["/home", "Portal.Example", 200],
    ["/home", "portal.example:443", 200],
    ["/home", "portal.example:80", 400],
    ["/home", "evil.example", 400],
    ["/home", "127.0.0.1", 400],
    ["/home", "portal.example.", 400],
    ["/home", "portal.example:8443", 400],
    ["/home", "portal.example.evil.example", 400],
    ["/home", "backend.internal:8080", 400],
    ["/home/api/x", "backend.internal:8080", 200],
    ["/home/api/x", "backend.internal", 400],
    ["/home/api/x", "portal.example", 200],
    ["/home/api/x", "evil.example", 400],
    ["/terms.pdf", "evil.example", 400],
    ["/healthz", "10.1.2.3:3000", 200],
    ["/healthz", "<10.1.2.3>", 400],
    ["/healthz/..%2fhome", "10.1.2.3", 400],
  ])("%s with Host %s: %i", async (path, host, status) => {
    expect((await ask(configured.port, path, { headers: { Host: host } })).status).toBe(status);
  });
});

describe("bodies are accepted or rejected by their headers alone [S63]", () => {
  const KB = 1024;
  test.each([
    ["/home", 64 * KB, 200],
    ["/home", 64 * KB + 1, 413],
    ["/home/api/x", 16 * KB, 200],
    ["/home/api/x", 16 * KB + 1, 413],
    ["/HOME/api/x", 16 * KB + 1, 413],
  ])("%s takes %i bytes: %i", async (path, length, status) => {
    expect((await post(open.port, {}, path, "a".repeat(length))).status).toBe(status);
    expect(writes(open)).toHaveLength(status === 200 ? 1 : 0);
  });

  test.each([
    [FORM, 200],
    [`${FORM};charset=UTF-8`, 200],
    ["Application/X-WWW-Form-URLEncoded ; charset=utf-8", 200],
    ["multipart/form-data; boundary=x", 415],
    ["application/json", 415],
    ["text/plain", 415],
    [`${FORM}x`, 415],
    [`text/plain, ${FORM}`, 415],
    ["", 415],
  ])("a form of type '%s': %i", async (type, status) => {
    expect((await post(open.port, { "Content-Type": type })).status).toBe(status);
  });

  test.each(["gzip", "br", "deflate", "identity, gzip"])("a body in %s gets a 415", async (encoding) => {
    for (const path of ["/home", "/home/api/x"]) {
      expect((await post(open.port, { "Content-Encoding": encoding }, path)).status).toBe(415);
    }
  });

  test("an empty form needs no type", async () => {
    const bare = `POST /home HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`;
    expect(statuses(await raw(open.port, bare))).toEqual([200]);
  });

  test.each(["GET", "POST", "PUT"])("a %s that doesn't state its length gets a 411", async (method) => {
    const head = `${method} /home/api/x HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n`;
    expect(statuses(await raw(open.port, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`))).toEqual([
      411,
    ]);
    expect(open.seen).toEqual([]);
  });

  test("a client that asks before sending its body is asked for it", async () => {
    const head = `${POST}Expect: 100-continue\r\n`;
    const welcome = await raw(open.port, `${head}Connection: close\r\nContent-Length: 3\r\n\r\na=b`);
    expect(statuses(welcome)).toEqual([100, 200]);
  });
});

// Each of these connections is closed two seconds after its answer, so they wait at the same time.
describe.concurrent("a refused upload [S63]", () => {
  let refusing: TestServer;
  beforeAll(async () => {
    refusing = await startServer();
  });
  afterAll(async () => {
    expect(refusing.seen).toEqual([]);
    await refusing.stop();
  });

  test("of a client that asks before sending its body is never asked for", async () => {
    const head = `${POST}Expect: 100-continue\r\nContent-Length: 99999\r\n\r\n`;
    expect(statuses(await raw(refusing.port, head))).toEqual([413]);
  });

  const behind2000 = (...lines: readonly string[]) =>
    `${POST}${"a:\r\n".repeat(2000)}${lines.map((line) => `${line}\r\n`).join("")}\r\n`;
  test.each([
    ["a length", behind2000("Content-Length: 60000000"), "a=b"],
    ["a coding", behind2000("Transfer-Encoding: chunked"), "3\r\na=b\r\n0\r\n\r\n"],
    ["a second Host", behind2000("Content-Length: 3", "Host: evil.example"), "a=b"],
    ["another Origin", behind2000("Content-Length: 3", "Origin: https://evil.example"), "a=b"],
  ])("with %s behind 2,000 empty headers: its head is refused", async (_name, head, body) => {
    const answer = await raw(refusing.port, head + body);
    expect(statuses(answer)).toEqual([431]);
    expect(answer).toMatch(/^Connection: close\r$/im);
    expect(refusing.rejections).toContainEqual(
      expect.objectContaining({ status: 431, reason: "too-many-headers" }),
    );
  });

  test.each([0, 40, 90])("is followed by no request, with %i lines before its length", async (count) => {
    const body = "a".repeat(65_537);
    const head = `${POST}${"a:\r\n".repeat(count)}Content-Length: ${body.length}\r\n\r\n`;
    const answer = await raw(refusing.port, `${head}${body}GET /away HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    expect(statuses(answer)).toEqual([413]);
  });

  test("is answered at once, while still being sent, and its connection is closed two seconds later", async () => {
    const endless = connect({ port: refusing.port, host: "127.0.0.1", allowHalfOpen: true });
    let received = "";
    const begunAt = Date.now();
    endless.setEncoding("latin1").on("data", (data: string) => (received += data));
    endless.on("error", () => undefined);
    endless.write(`${POST}Transfer-Encoding: chunked\r\n\r\n`);
    const sending = setInterval(() => endless.write("5\r\naaaaa\r\n"), 20);
    const answered = new Promise<void>((resolve) => endless.once("data", () => resolve()));
    const closedAt = new Promise<number>((resolve) => endless.once("close", () => resolve(Date.now())));
    await answered;
    expect(statuses(received)).toEqual([411]);
    expect(received).toContain("\r\nConnection: close\r\n");
    // Counted from the start: part of the two seconds may have passed when the answer reaches us.
    const lingered = (await closedAt) - begunAt;
    expect(lingered).toBeGreaterThan(1500);
    // Far below the 30 s that Node would wait for the rest.
    expect(lingered).toBeLessThan(10_000);
    clearInterval(sending);
  });

  test("is never read, and what follows on its connection is not taken for a request", async () => {
    const after = `GET /away HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`;
    const answer = await raw(refusing.port, `${POST}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n${after}`);
    expect(statuses(answer)).toEqual([411]);
  });

  test("of ten megabytes is answered even if the client reads nothing until it has sent everything", async () => {
    const headers = { "Content-Length": "10000000" };
    expect((await post(refusing.port, headers, "/home", "a".repeat(10_000_000))).status).toBe(413);
  });
});
