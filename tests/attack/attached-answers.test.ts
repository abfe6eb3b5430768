import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Portal } from "../portal";
import { Visitor } from "../visitor";
import { json, sharedAttachedPortal, type HostileBackend } from "./hostile-backend";

const CREDENTIALS = { username: "anna.nowak", password: " Demo-Hasło-2026 " };

let backend: HostileBackend;
let portal: Portal;
beforeAll(async () => {
  ({ backend, portal } = await sharedAttachedPortal());
});
beforeEach(() => {
  backend.reset();
});

async function newVisitor(): Promise<Visitor> {
  const visitor = new Visitor(portal);
  await visitor.accept();
  return visitor;
}

async function signedIn(): Promise<Visitor> {
  const visitor = await newVisitor();
  await visitor.login(CREDENTIALS);
  await visitor.confirm("123456");
  expect(visitor.cookies.get("session")).toBe("active");
  return visitor;
}

describe("what a backend may answer beyond the catalogue", () => {
  test.each([
    ["429 without a time", json(429, { errorCode: "rate-limited" }), 429, "60"],
    [
      "429 with a time in its head only",
      json(429, { errorCode: "rate-limited" }, { "Retry-After": "7" }),
      429,
      "7",
    ],
    ["503 with a time of its own", json(503, { errorCode: "busy", retryAfterSeconds: 1.5 }), 503, "2"],
    ["429 until the end of time", json(429, { errorCode: "x", retryAfterSeconds: 1e300 }), 429, "86400"],
  ])("%s is the same page with that status and a time to wait", async (_what, reply, status, seconds) => {
    const visitor = await newVisitor();
    backend.replies.login = reply;
    const answer = await visitor.login(CREDENTIALS);
    expect([answer.status, answer.header("Retry-After")]).toEqual([status, seconds]);
    expect(answer.body).toContain('value="anna.nowak"');
  });
});

// unit/visit has each fault of a cookie.
describe("[S53] cookies a backend should not set", () => {
  test("named like the portal's own, for a parent domain, for another path: none reaches the browser", async () => {
    const visitor = await newVisitor();
    backend.replies.login = json(
      400,
      { errorCode: "101" },
      {
        "Set-Cookie": [
          "accepted-cookies=; Max-Age=0",
          "flow=planted",
          "own=1; Domain=example; Path=/cp; SameSite=None; Secure",
          "bad name=1",
        ],
      },
    );
    const lines = (await visitor.login(CREDENTIALS)).lines("Set-Cookie");
    // The flow is the portal's own cookie: it remembers the username of a refused sign-in.
    expect(lines).toEqual([
      "own=1; Path=/; HttpOnly; SameSite=Lax",
      expect.stringMatching(/^flow=ey[^;]{100,};/),
    ]);
    expect(visitor.hasConsent).toBe(true);
  });
});

describe("what a backend receives", () => {
  test("[S60] the visitor's address, the request's number and the backend's own cookies, nothing else", async () => {
    const visitor = await newVisitor();
    visitor.cookies.set("_ga", "GA1.2");
    backend.reset();
    const headers = {
      "X-Forwarded-For": "203.0.113.9",
      "X-Request-Id": "proxy-request-1",
      "User-Agent": "Kanarek/1.0",
      "Accept-Language": "pl-x-kanarek",
      Referer: `${portal.origin}/home`,
      Forwarded: "for=198.51.100.1",
      Authorization: "Basic a2FuYXJlaw==",
    };
    await visitor.post("/home?index", CREDENTIALS, { headers });
    const login = backend.received.find(({ name }) => name === "login");
    expect(login?.headers).toMatchObject({
      host: new URL(backend.url).host,
      "content-type": "application/json",
      "x-forwarded-for": "203.0.113.9",
      "x-request-id": "proxy-request-1",
    });
    for (const name of [
      "origin",
      "referer",
      "forwarded",
      "authorization",
      "transfer-encoding",
      "sec-fetch-site",
    ])
      expect(login?.headers, name).not.toHaveProperty(name);
    expect(JSON.stringify(login?.headers)).not.toMatch(/kanarek/i);
    expect(login?.headers.cookie).not.toMatch(/flow=|accepted-cookies/);
    expect(JSON.parse(login?.body ?? "")).toEqual(CREDENTIALS);
  });

  test("[S70] never a path made up by the visitor", async () => {
    const visitor = await newVisitor();
    for (const username of [
      "..",
      "../../session",
      "anna/nowak",
      "http://evil.example/",
      "%2e%2e",
      "a?b#c",
      "",
    ]) {
      await visitor.post("/home/reset-password-init", { username });
    }
    const device = await signedIn();
    for (const id of ["..", ".", "%2e%2e/session"]) await device.post("/cp/profile", { device: id });
    expect(backend.astray).toEqual([]);
  });

  test("all calls share a few connections", async () => {
    const ports = new Set<unknown>();
    backend.replies.userInfo = (response) => {
      ports.add(response.socket?.remotePort);
      json(401, {})(response);
    };
    const visitor = await newVisitor();
    for (let nth = 0; nth < 20; nth += 1) await visitor.get("/home");
    expect(ports.size).toBeLessThan(4);
  });

  test("a visitor who leaves cancels nothing: the call runs to its end", async () => {
    const visitor = await newVisitor();
    const login = new Promise<ServerResponse>((resolve) => {
      backend.replies.login = resolve;
    });
    const body = new URLSearchParams(CREDENTIALS).toString();
    const cookies = [...visitor.cookies].map((pair) => pair.join("=")).join("; ");
    const socket = connect(portal.port, "127.0.0.1");
    socket.write(
      `POST /home?index HTTP/1.1\r\nHost: 127.0.0.1:${portal.port}\r\nCookie: ${cookies}\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    const answer = await login;
    socket.destroy();
    // Long enough for the portal to notice and to cancel the call.
    for (let nth = 0; nth < 5; nth += 1) await visitor.get("/home");
    expect(answer.closed).toBe(false);

    const next = new Promise((resolve) => {
      backend.replies.userInit = (response) => {
        resolve("asked");
        json(200, {})(response);
      };
    });
    json(200, {}, { "Set-Cookie": "session=active" })(answer);
    expect(await next).toBe("asked");
  });
});
