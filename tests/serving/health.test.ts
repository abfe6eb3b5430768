import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startHostileBackend } from "../attack/hostile-backend";
import { ask, type HttpAnswer } from "../http-request";
import { startPortal, type Portal } from "../portal";
import { freePort } from "../free-port";
import { runPortal } from "../portal-process";
import { raw, statuses } from "../attack/front-door-server";

/** An answer as a load balancer sees it: status and body. */
const said = ({ status, body }: HttpAnswer) => [status, body];

describe("[S74] a portal with a port for operators", () => {
  let portal: Portal;
  let metrics: number;
  beforeAll(async () => {
    metrics = await freePort();
    portal = await startPortal({
      publicOrigin: "https://portal.example",
      env: { METRICS_PORT: String(metrics) },
    });
  });
  afterAll(() => portal.stop());

  test.each(["/healthz", "/readyz"])(
    "%s says ok and nothing more, even when Host is a bare address",
    async (path) => {
      const headers = { Host: "10.1.2.3:3000" };
      const answer = await ask({ port: portal.port, path, headers });
      expect(said(answer)).toEqual([200, "ok\n"]);
      expect(answer.header("Content-Type")).toBe("text/plain; charset=utf-8");
      expect(answer.header("Cache-Control")).toBe("no-store");
      expect(answer.lines("Set-Cookie")).toEqual([]);
      expect(said(await ask({ port: portal.port, path, headers, method: "HEAD" }))).toEqual([200, ""]);
    },
  );

  test.each(["/healthz", "/readyz"])("[S119] %s is answered by HTTP/1.0 without a Host", async (path) => {
    const answer = await raw(portal.port, `GET ${path} HTTP/1.0\r\n\r\n`);
    expect(statuses(answer)).toEqual([200]);
    expect(answer).toMatch(/\r\n\r\nok\n$/);
  });

  test("the customers' port has no metrics", async () => {
    const headers = { Host: "portal.example", Cookie: "__Host-accepted-cookies=1; accepted-cookies=1" };
    const answer = await ask({ port: portal.port, path: "/metrics", headers });
    expect(answer.status).toBe(404);
    expect(answer.body).not.toContain("portal_");
  });

  test("the operators' port has metrics and nothing else", async () => {
    const answer = await ask({ port: metrics, path: "/metrics" });
    expect(answer.status).toBe(200);
    expect(answer.header("Content-Type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(answer.body).toMatch(/^portal_ready 1$/m);
    expect(answer.body).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(answer.body).toMatch(/^process_resident_memory_bytes /m);
    // Every part of the portal has registered its metrics at the start.
    for (const atZero of ['sign_ins_total{result="wrong"}', 'http_refusals_total{reason="fault"}'])
      expect(answer.body).toContain(`\nportal_${atZero} 0\n`);
    expect(answer.body).toContain('\nportal_backend_calls_total{result="unreachable"} 0\n');
    for (const path of ["/", "/home", "/healthz", "/metrics/", "/metrics?x"])
      expect((await ask({ port: metrics, path })).status, path).toBe(404);
    expect((await ask({ port: metrics, path: "/metrics", method: "POST", body: "x" })).status).toBe(405);
  });

  test("a taken metrics port makes startup fail with one line", async () => {
    const second = runPortal({
      DATA_DIR: portal.dataDir,
      PORT: String(await freePort()),
      METRICS_PORT: String(metrics),
    });
    expect((await second.ended).code).toBe(1);
    const [, line, ...more] = second.errors().split("\n");
    expect(JSON.parse(line ?? "")).toMatchObject({
      level: "error",
      msg: `METRICS_PORT: cannot listen on port ${metrics}: EADDRINUSE`,
    });
    expect(more).toEqual([""]);
  });

  test("[S103] told to stop, it answers a sign-in in progress, and exits with 0", async () => {
    const body = "username=nikt&password=Zle-Haslo-1";
    const socket = connect(portal.port, "127.0.0.1").setEncoding("utf8");
    let answer = "";
    const begun = new Promise<void>((resolve) => {
      socket.on("data", (text: string) => {
        answer += text;
        // The server has read the head and asks for the body.
        if (answer.includes("100 Continue")) resolve();
      });
    });
    socket.write(
      `POST /home HTTP/1.1\r\nHost: portal.example\r\nOrigin: ${portal.origin}\r\nCookie: accepted-cookies=1\r\n` +
        `Content-Type: application/x-www-form-urlencoded\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    );
    await begun;
    const stopped = portal.stop("SIGTERM");
    while (await ask({ port: portal.port, path: "/healthz" }).catch(() => undefined));
    socket.write(body);
    expect(await stopped).toEqual({ code: 0, signal: null });
    expect(answer).toContain("HTTP/1.1 400 Bad Request");
    expect(answer).toContain("Nieprawidłowa nazwa");
  });
});

test("[S74, S103] without its backend or told to stop, a portal says so at /readyz and goes on answering", async () => {
  const backend = await startHostileBackend();
  const limits = { LIMIT_READY_FRESH_MS: "1", LIMIT_STOP_NOTICE_MS: "60000" };
  const portal = await startPortal({ env: { BACKEND_URL: backend.url, ...limits } });
  const get = async (path: string) => said(await ask({ port: portal.port, path }));
  expect(await get("/readyz")).toEqual([200, "ok\n"]);
  await backend.stop();
  expect(await get("/readyz")).toEqual([503, "not ready: backend\n"]);
  expect(await get("/healthz")).toEqual([200, "ok\n"]);
  portal.signal("SIGTERM");
  await expect.poll(() => get("/readyz")).toEqual([503, "not ready: stopping\n"]);
  expect((await get("/home/cookies"))[0]).toBe(200);
  await portal.stop("SIGKILL");
});
