import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { connect } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SECURITY_HEADERS, TRANSPORT_SECURITY } from "~/server/front-door/headers.server";
import { LIMITS } from "~/platform/config/limits";
import { until } from "../browsers/until";
import { ANNA } from "../demo-customers";
import { ask, type HttpAnswer } from "../http-request";
import { Visitor } from "../visitor";
import { DENIED } from "./nginx";
import { CAN_START, startTopology, type Topology } from "./topology";

const WRONG = { username: "kto.to", password: "Nie-To-Haslo-1" };

describe.runIf(CAN_START)("a portal behind nginx with TLS", () => {
  let topology: Topology;
  const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<HttpAnswer> => {
    const { port, secure, origin } = topology;
    return ask({ port, secure, path, headers: { Host: new URL(origin).host, ...headers } });
  };
  /** nginx writes its line after the answer is sent. */
  const accessLog = () => readFile(topology.nginx.accessLog, "utf8");
  beforeAll(async () => {
    topology = await startTopology({ env: { LIMIT_ADDRESS_SIGN_INS_PER_10_MINUTES: "8" } });
  });
  afterAll(() => topology.stop());

  it("[S53] signs in with cookies that a browser takes only over https and only from this host", async () => {
    const visitor = new Visitor(topology);
    await visitor.signIn(ANNA, true);
    expect((await visitor.get("/cp")).body).toContain(ANNA.policyNo);
    expect([...visitor.cookies.keys()].toSorted()).toEqual(
      ["__Host-browser", "__Host-session", "__Host-trusted-device", "accepted-cookies"].toSorted(),
    );
  });

  it("[S59] redirects http to the configured address, whatever Host says", async () => {
    const headers = { Host: "evil.example", "X-Forwarded-Host": "evil.example" };
    const answer = await ask({ port: topology.httpPort, path: "/home?a=b", headers });
    expect([answer.status, answer.header("Location")]).toEqual([301, `${topology.origin}/home?a=b`]);
  });

  it("[S59] serves no other Host", async () => {
    expect((await get("/home", { Host: "evil.example" })).status).toBe(400);
    const named = await get("/home", { "X-Forwarded-Host": "evil.example", Forwarded: "host=evil.example" });
    expect(named.header("Location")).toBe("/home/cookies");
  });

  it.each([
    ["an unknown version", "GET /home HTTP/9.9\r\n", ""],
    ["an unknown transfer coding", "POST /home HTTP/1.1\r\n", "Transfer-Encoding: gzip\r\n"],
    ["no version that HTTP has", "GET /home HTTP/x\r\n", ""],
    ["a header over 32 KB", "GET /home HTTP/1.1\r\n", `X: ${"a".repeat(40_000)}\r\n`],
  ])("[S112] answers %s with a page of ours and its headers", async (_what, line, more) => {
    const { port, origin } = topology;
    const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
    socket.end(`${line}Host: ${new URL(origin).host}\r\n${more}Connection: close\r\n\r\n`);
    const [head = "", body = ""] = (await text(socket)).split("\r\n\r\n");
    expect(body).toContain('<html lang="pl"');
    for (const { name, value } of [...SECURITY_HEADERS, TRANSPORT_SECURITY])
      expect(head.toLowerCase()).toContain(`\r\n${name}: ${value}`.toLowerCase());
    // Without an extra module nginx always sends its name, but it needn't send its version.
    expect(head).not.toMatch(/nginx\/\d/);
  });

  it("[S60] counts by the address nginx saw, whatever a client claims", async () => {
    const visitor = new Visitor(topology);
    await visitor.accept();
    const statuses: number[] = [];
    for (let nth = 1; nth <= 9; nth += 1) {
      const address = `203.0.113.${nth}`;
      const headers = {
        "X-Forwarded-For": `${address}, ${address}`,
        "X-Real-IP": address,
        Forwarded: `for=${address}`,
      };
      statuses.push((await visitor.post("/home?index", WRONG, { headers })).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it("[S74] hides readiness and metrics from the world", async () => {
    expect((await get("/readyz")).status).toBe(404);
    expect((await get("/metrics", { Cookie: "accepted-cookies=1" })).status).toBe(404);
  });

  it("[S54] nginx's own pages have the same headers as all others, and a style the policy allows", async () => {
    for (const [path, status] of [
      ["/readyz", 404],
      ["/%", 400],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(status);
      for (const { name, value } of [...SECURITY_HEADERS, TRANSPORT_SECURITY])
        expect(answer.lines(name), `${name} at ${path}`).toEqual([value]);
      expect(answer.header("Cache-Control")).toBe("no-store");
      const [, style = ""] = /<style>(.*?)<\/style>/s.exec(answer.body) ?? [];
      const hash = createHash("sha256").update(style).digest("base64");
      const [nonce = ""] = answer.lines("X-Request-Id");
      expect(answer.header("Content-Security-Policy")).toContain(
        `style-src 'sha256-${hash}' 'nonce-${nonce}'`,
      );
      // The insurer's colours, from the same variables as the portals'.
      expect(answer.body).toContain(`<style nonce='${nonce}'>:root{--button:#7A1FA2;`);
    }
  });

  it("denies what an operator's file in portal.d denies, with our own page", async () => {
    const { port, secure, origin } = topology;
    const headers = { Host: new URL(origin).host };
    for (const path of ["/home/cookies", "/assets/x.js"]) {
      const answer = await ask({ port, secure, path, headers, from: DENIED });
      expect([answer.status, answer.body]).toEqual([403, expect.stringContaining("<h1>")]);
      expect(answer.body).not.toContain("nginx/");
    }
    expect((await get("/home/cookies")).status).toBe(200);
  });

  it("[S54] a page has everything MDN Observatory gives 130 points for (docs/security.md)", async () => {
    const page = await get("/home/cookies");
    expect(page.status).toBe(200);
    const [policy = ""] = page.lines("Content-Security-Policy");
    // 100 points, plus 10 for the first, 5 each for the second and third, 10 for the fourth; the rest loses none.
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe-(inline|eval)|\*|http:|data:/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(page.header("Referrer-Policy")).toBe("same-origin");
    expect(page.header("Cross-Origin-Resource-Policy")).toBe("same-origin");
    expect(page.header("X-Content-Type-Options")).toBe("nosniff");
    expect(page.header("Access-Control-Allow-Origin")).toBeUndefined();
    expect(Number(/max-age=(\d+)/.exec(page.header("Strict-Transport-Security") ?? "")?.[1])).toBeGreaterThan(
      15_768_000,
    );
    for (const [, source] of page.body.matchAll(/<script[^>]* src="([^"]+)"/g))
      expect(source).toMatch(/^\/\w/);
  });

  it("[S63] accepts no larger body than the portal does", async () => {
    const { port, secure, origin } = topology;
    const headers = { Host: new URL(origin).host, Origin: origin };
    const body = Buffer.alloc(64 * 1024 + 1, "a");
    const answer = await ask({ port, secure, path: "/home?index", method: "POST", headers, body });
    expect(answer.status).toBe(413);
  });

  it("[S105] serves one client no more than a hundred requests at once, and says so on our own page", async () => {
    const { port, origin } = topology;
    const { host } = new URL(origin);
    // A request counts from its head until its answer, so one without its body counts for as long as we like.
    const begun = `POST /home?index HTTP/1.1\r\nHost: ${host}\r\nOrigin: ${origin}\r\nContent-Length: 9\r\n\r\n`;
    const held = Array.from({ length: LIMITS.ADDRESS_CONNECTIONS }, () =>
      connect({ port, host: "127.0.0.1", rejectUnauthorized: false }).on("error", () => undefined),
    );
    for (const socket of held) socket.write(begun);
    const status = async () => (await get("/home/cookies")).status;
    await expect.poll(status).toBe(429);
    const page = await get("/home/cookies");
    expect([page.header("Retry-After"), page.header("Cache-Control")]).toEqual(["5", "no-store"]);
    expect(page.body).toContain("<h1>Zbyt wiele prób</h1>");
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page.body) ?? [];
    const hash = createHash("sha256").update(style).digest("base64");
    expect(page.header("Content-Security-Policy")).toContain(`style-src 'sha256-${hash}'`);
    const call = await get("/home/api/user/info");
    expect([call.status, JSON.parse(call.body)]).toEqual([
      429,
      { errorCode: "rate-limited", retryAfterSeconds: 5 },
    ]);
    for (const socket of held) socket.destroy();
    await expect.poll(status).toBe(200);
  });

  it("[S104] a deep address is rejected by one portal, with our own page, and not passed to the next", async () => {
    const reference = /Numer błędu: ([\w.-]+)/;
    for (const [path, status] of [
      ["/a".repeat(7500), 414],
      ["/b".repeat(17), 404],
    ] as const) {
      const answer = await get(path);
      expect(answer.status).toBe(status);
      expect(answer.body).not.toContain("<script");
      // A mistyped address has no number (F52).
      expect(reference.exec(answer.body)?.[1]).toBe(
        status === 404 ? undefined : answer.header("X-Request-Id"),
      );
      const logged = async () =>
        (await accessLog()).split("\n").find((line) => line.includes(`"path":"${path}"`)) ?? "";
      await expect.poll(logged).toContain(`"answers":"${status}"`);
      expect(await logged()).toMatch(/"portals":"[^", ]+"/);
    }
  });

  it("caches compressed scripts, separately for each encoding", async () => {
    const page = await get("/home", { Cookie: "accepted-cookies=1" });
    const [script = ""] = /\/assets\/[\w.-]+\.js/.exec(page.body) ?? [];
    for (const packing of ["br", "gzip", ""]) {
      const first = await get(script, { "Accept-Encoding": packing });
      const second = await get(script, { "Accept-Encoding": packing });
      for (const answer of [first, second]) {
        expect(answer.header("Content-Encoding") ?? "").toBe(packing);
        expect(answer.header("Cache-Control")).toContain("immutable");
      }
    }
    const asked = async () => (await accessLog()).split("\n").filter((line) => line.includes(script));
    await until("nginx to write six lines", async () => (await asked()).length >= 6);
    expect(await asked()).toHaveLength(6);
    expect((await asked()).filter((line) => line.includes('"portals":""'))).toHaveLength(3);
  });

  it("[S86] writes no query and no username to its log", async () => {
    await get("/home?name=Kowalska");
    await get("/home/api/user/Kowalska%2Fz%20d./password-reset/init");
    const line = '"path":"/home/api/user/*/password-reset/init","status":405';
    await until("nginx to write its line", async () => (await accessLog()).includes(line));
    expect(await accessLog()).not.toContain("Kowalska");
  });
});
