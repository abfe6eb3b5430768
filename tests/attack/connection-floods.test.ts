import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { ConnectionRefusal } from "~/server/front-door/policy";
import { LIMITS } from "~/platform/config/limits";
import { ask, raw, startServer, type TestPolicy } from "./front-door-server";

const HOST = "Host: 127.0.0.1\r\n";
const get = (path: string, more = "") => `GET ${path} HTTP/1.1\r\n${HOST}${more}\r\n`;
const flood = (count: number) => get("/home?flood").repeat(count);

const ends: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function start(policy: TestPolicy = {}) {
  const refused: ConnectionRefusal[] = [];
  const server = await startServer({ onConnectionRefused: (refusal) => refused.push(refusal), ...policy });
  ends.push(() => server.stop());
  return { ...server, refused };
}

/** A server that ends each answer one turn of the event loop after beginning it, and records both. */
async function startBare() {
  const begun: string[] = [];
  const started = await start({
    limits: { STOP_IDLE_MS: 1 },
    answerAll: ({ url }, response) => {
      begun.push(`begin ${url}`);
      setImmediate(() => {
        begun.push(`end ${url}`);
        response.end(`<${url}>`);
      });
      return Promise.resolve(true);
    },
  });
  return { ...started, begun };
}

/** A connection that has sent nothing yet. */
async function open(port: number, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined).resume();
  ends.push(() => {
    socket.destroy();
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  return socket;
}

/** Whether a request on a new connection is answered, rather than the connection closed. */
const isServed = async (port: number, localAddress = "127.0.0.1"): Promise<boolean> => {
  const socket = await open(port, localAddress);
  const closed = new Promise<false>((resolve) => {
    socket.once("close", () => {
      resolve(false);
    });
  });
  const answered = new Promise<true>((resolve) => {
    socket.once("data", () => {
      resolve(true);
    });
  });
  socket.write(get("/home"));
  const served = await Promise.race([closed, answered]);
  socket.destroy();
  return served;
};

describe("[S105] one connection can't ask for much at once", () => {
  test("3,000 pipelined requests: the connection is closed, and a visitor beside it is served at once", async () => {
    const { port, seen, refused } = await start();
    const flooded = raw(port, flood(3000));
    const probe = await ask(port, "/home?probe");
    expect(probe.status).toBe(200);
    await flooded;
    const before = seen.findIndex(({ url }) => url.endsWith("?probe"));
    expect(before).toBeLessThanOrEqual(1);
    expect(seen.length).toBeLessThanOrEqual(1 + LIMITS.PIPELINED_REQUESTS);
    expect(refused).toEqual([{ reason: "pipelining", clientAddress: "127.0.0.1" }]);
  });

  test("a few are answered in order, one after the other", async () => {
    const { port, begun } = await startBare();
    const paths = ["/1", "/2", "/3", "/4", "/5"];
    const exchange = paths.map((path) => get(path, path === "/5" ? "Connection: close\r\n" : "")).join("");
    const answers = await raw(port, exchange);
    expect([...answers.matchAll(/<(\/\d)>/g)].map(([, path]) => path)).toEqual(paths);
    expect(begun).toEqual(paths.flatMap((path) => [`begin ${path}`, `end ${path}`]));
  });

  test("as many as the limit are answered, and a connection that waits for its answers may go on for ever", async () => {
    const { port } = await startBare();
    const some = Array.from({ length: LIMITS.PIPELINED_REQUESTS }, (_, at) => get(`/${at}`));
    const socket = await open(port);
    let received = "";
    const answers = () => [...received.matchAll(/<\/\d>/g)].length;
    socket.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
    for (let round = 1; round <= 3; round += 1) {
      socket.write(some.join(""));
      await expect.poll(answers).toBe(round * some.length);
    }
  });

  test("what waits behind an answer that ends the connection is not begun", async () => {
    const { port, begun } = await startBare();
    await raw(port, get("/1", "Connection: close\r\n") + get("/2"));
    await raw(port, get("/3") + get("/4", "Upgrade: h2c\r\nConnection: upgrade\r\n") + get("/5"));
    expect(begun.filter((event) => event.startsWith("begin"))).toEqual(["begin /1", "begin /3", "begin /4"]);
  });

  test("a connection that breaks while requests wait holds nobody up when the process stops", async () => {
    const { port, server, begun } = await startBare();
    const socket = await open(port);
    const broken = new Promise((resolve) => {
      server.once("request", (request) => {
        request.socket.once("close", resolve);
        socket.resetAndDestroy();
      });
    });
    socket.write(get("/1") + get("/2") + get("/3"));
    await broken;
    await server.drain();
    expect(begun.filter((event) => event.startsWith("begin"))).toEqual(["begin /1"]);
  });
});

describe("[S105] connections are limited", () => {
  test("the 101st of one address is closed at once; other addresses and later ones are served", async () => {
    const { port, refused } = await start();
    const sockets = [];
    for (let nth = 1; nth <= LIMITS.ADDRESS_CONNECTIONS; nth += 1) sockets.push(await open(port));
    expect(await isServed(port)).toBe(false);
    expect(refused).toEqual([{ reason: "address", clientAddress: "127.0.0.1" }]);
    expect(await isServed(port, "127.0.0.2")).toBe(true);
    sockets[0]?.destroy();
    await expect.poll(() => isServed(port)).toBe(true);
  });

  test("a trusted proxy may open more", async () => {
    const { port } = await start({ trustedProxies: ["127.0.0.0/8"] });
    for (let nth = 1; nth <= LIMITS.ADDRESS_CONNECTIONS; nth += 1) await open(port);
    expect(await isServed(port)).toBe(true);
  });

  test("all addresses together have a limit, too, with and without a proxy", async () => {
    for (const trustedProxies of [[], ["127.0.0.1"]]) {
      const { port, refused } = await start({ limits: { CONNECTIONS: 3 }, trustedProxies });
      const [first] = [await open(port), await open(port, "127.0.0.2"), await open(port, "127.0.0.3")];
      expect(await isServed(port)).toBe(false);
      expect(refused.map(({ reason }) => reason)).toEqual(["all"]);
      first.destroy();
      await expect.poll(() => isServed(port)).toBe(true);
    }
  });
});
