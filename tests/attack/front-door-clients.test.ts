import { Agent, request, type IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ask, raw, startServer, statuses, type TestPolicy, type TestServer } from "./front-door-server";

let server: TestServer;
const start = async (policy: TestPolicy = {}) => (server = await startServer(policy));
afterEach(() => server.stop());

const HOST = "Host: 127.0.0.1\r\n";

describe("the client's address [S60]", () => {
  const SPOOFED = { "X-Forwarded-For": "192.0.2.1", "X-Real-IP": "192.0.2.2", Forwarded: "for=192.0.2.3" };

  test("only a trusted proxy can say where a request comes from", async () => {
    await start();
    await ask(server.port, "/home", { headers: { ...SPOOFED, "X-Request-Id": "chosen-by-me" } });
    const [seen] = server.seen;
    expect(seen?.context.clientAddress).toBe("127.0.0.1");
    expect(seen?.headers.get("x-forwarded-for")).toBe("127.0.0.1");
    expect(seen?.context.requestId).toMatch(/^[0-9a-z]{12}$/);
    expect(seen?.headers.get("x-request-id")).toBe(seen?.context.requestId);
  });

  test("[S125] forwarding headers are reported if they come from a peer that isn't trusted", async () => {
    const NAMES = ["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Real-IP", "Forwarded"];
    const reported: string[] = [];
    const onUntrustedForward = (peer: string) => void reported.push(peer);
    const send = async (path: string) => {
      for (const name of NAMES) await ask(server.port, path, { headers: { [name]: "192.0.2.1" } });
    };
    await start({ onUntrustedForward });
    await ask(server.port, "/home");
    expect(reported).toEqual([]);
    await send("/home");
    expect(reported).toEqual(NAMES.map(() => "127.0.0.1"));
    // A refused request is reported, too.
    await send("/home?_data=secret");
    expect(reported).toHaveLength(2 * NAMES.length);
    await server.stop();
    await start({ onUntrustedForward, trustedProxies: ["127.0.0.1"] });
    await send("/home");
    expect(reported).toHaveLength(2 * NAMES.length);
  });

  test("a device's name is believed from a trusted proxy alone", async () => {
    const headers = { "X-Device-Name": "Firefox", "X-Forwarded-For": "198.51.100.7" };
    await start();
    await ask(server.port, "/home", { headers });
    expect(server.seen[0]?.headers.has("x-device-name")).toBe(false);
    await server.stop();
    await start({ trustedProxies: ["127.0.0.1"] });
    await ask(server.port, "/home", { headers });
    expect(server.seen[0]?.headers.get("x-device-name")).toBe("Firefox");
  });

  test("[S114] nobody, not even a proxy, can say that a request arrived at another time", async () => {
    await start({ trustedProxies: ["127.0.0.0/8"] });
    await ask(server.port, "/home", { headers: { "X-Received-At": "1000000000000" } });
    const [seen] = server.seen;
    expect(seen?.headers.get("x-received-at")).toBe(String(seen?.context.receivedAt));
  });

  test("a trusted proxy is believed only for the rightmost address, which it added itself", async () => {
    await start({ trustedProxies: ["127.0.0.0/8", "10.0.0.0/8"] });
    const headers = {
      "X-Forwarded-For": "192.0.2.1, 198.51.100.7, 10.0.0.9",
      "X-Request-Id": "0123456789abcdef",
    };
    const answer = await ask(server.port, "/home", { headers });
    expect(server.seen[0]?.context.clientAddress).toBe("198.51.100.7");
    expect(answer.lines("X-Request-Id")).toEqual(["0123456789abcdef"]);
  });

  test.each(["short", "a".repeat(65), "with space in it", "<script>alert(1)</script>", "12345678\u00e9"])(
    "a client's reference number like '%s' is never repeated",
    async (id) => {
      await start({ trustedProxies: ["127.0.0.1"] });
      const answer = await ask(server.port, "/home", { headers: { "X-Request-Id": id } });
      expect(answer.lines("X-Request-Id")[0]).toMatch(/^[0-9a-z]{12}$/);
    },
  );

  test("a rejection is logged with its reason and nothing the client wrote", async () => {
    await start();
    await ask(server.port, "/home?_data=secret");
    const { requestId = "" } = server.rejections[0] ?? {};
    expect(requestId).toMatch(/^\w{12}$/);
    expect(server.rejections).toEqual([
      { status: 404, reason: "route-data", clientAddress: "127.0.0.1", requestId },
    ]);
  });
});

describe("every request has its own context", () => {
  const get = (target: string, more = "") => `GET ${target} HTTP/1.1\r\n${HOST}${more}\r\n`;

  test("when a write with a body comes between two reads", async () => {
    await start();
    const form = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n";
    const write = `POST /home HTTP/1.1\r\n${HOST}${form}\r\na=b`;
    const answer = await raw(server.port, get("/home") + write + get("/home", "Connection: close\r\n"));
    expect(statuses(answer)).toEqual([200, 200, 200]);
    // The action and the loader that follows belong to one request.
    const seen = server.seen.map(({ context }) => context.requestId).toSorted();
    const inTheHeads = [...answer.matchAll(/X-Request-Id: (\w+)/g)].map(([, id]) => id);
    expect(seen).toHaveLength(4);
    expect([...new Set(seen)]).toEqual(inTheHeads.toSorted());
  });

  test("when fifty come at once", async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 50 }, (_, at) => ask(server.port, `/home?${at}`)));
    for (const answer of answers)
      expect(answer.body).toContain(`<title>${answer.lines("X-Request-Id")[0]}</title>`);
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(50);
  });
});

describe("slow clients are cut off and hold nobody up [S64]", () => {
  /** Writes a byte now and then, like slowloris; returns the ms until the server hung up. */
  const drip = (begin: string, bytes: string) =>
    new Promise<number>((resolve) => {
      const began = Date.now();
      const socket: Socket = connect(server.port, "127.0.0.1");
      socket.on("error", () => undefined);
      socket.resume();
      socket.write(begin);
      let at = 0;
      const timer = setInterval(() => socket.write(bytes[at++ % bytes.length] ?? ""), 10);
      socket.on("close", () => {
        clearInterval(timer);
        resolve(Date.now() - began);
      });
    });

  test("a head that never ends, a connection that sends nothing, and a body that never comes", async () => {
    await start({ limits: { FIRST_HEAD_MS: 1000, REQUEST_MS: 1500 } });
    const form = `POST /home HTTP/1.1\r\n${HOST}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 60000\r\n\r\n`;
    const slow = Promise.all([
      drip("", ""),
      drip("GET /home HTTP/1.1\r\n", "X: y\r\n"),
      drip(`GET /home HTTP/1.1\r\n${HOST}\r\nGET /home HTTP/1.1\r\n`, "X: y\r\n"),
      drip(form, "abc"),
    ]);
    expect((await ask(server.port, "/home")).status).toBe(200);
    const [silent, head, second, body] = await slow;
    for (const time of [silent, head, second]) expect(time).toBeGreaterThanOrEqual(1000);
    expect(body).toBeGreaterThanOrEqual(1500);
    // Far below our own limit of 30 s and Node's 60 s.
    for (const time of [silent, head, second, body]) expect(time).toBeLessThan(5000);
  });

  test("the limits are those of the policy", async () => {
    await start();
    const { headersTimeout, requestTimeout, timeout } = server.server;
    expect({ headersTimeout, requestTimeout, timeout }).toEqual({
      headersTimeout: 15_000,
      requestTimeout: 30_000,
      timeout: 30_000,
    });
  });
});

describe("when the process stops", () => {
  test("idle connections end soon, and a request in progress is answered first", async () => {
    await start({ limits: { STOP_IDLE_MS: 100 } });
    const idle = connect(server.port, "127.0.0.1");
    const ended = new Promise((resolve) => idle.once("close", resolve));
    idle.resume();
    await new Promise((resolve) => server.server.once("connection", resolve));
    const arrived = new Promise((resolve) => server.server.once("request", resolve));
    const begun = raw(server.port, `GET /home HTTP/1.1\r\n${HOST}\r\n`);
    await arrived;
    await server.server.drain();
    expect(server.seen).toHaveLength(1);
    await ended;
    expect(await begun).toMatch(/^HTTP\/1\.1 200[^]*\r\nConnection: close\r\n[^]*<\/title>/);
  });

  test("[S103] a request on a kept connection is still answered, and is the last one there", async () => {
    await start();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const onTheSameConnection = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request({ port: server.port, host: "127.0.0.1", path: "/home", agent }, resolve);
        sent.once("error", reject).end();
      });
    (await onTheSameConnection()).resume();
    const drained = server.server.drain();
    const last = await onTheSameConnection();
    expect([last.statusCode, last.headers.connection]).toEqual([200, "close"]);
    last.resume();
    await drained;
    expect(server.server.listening).toBe(false);
  });
});
