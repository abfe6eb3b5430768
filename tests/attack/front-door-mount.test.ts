import { createServer, IncomingMessage, type Server } from "node:http";
import { connect, Socket, type AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { FrontDoorPolicy } from "~/front-door/policy";
import { LIMITS } from "~/platform/config/limits";
import { ask } from "./front-door-server";

const servers: Server[] = [];
const hello = async (): Promise<number> => {
  const server = createServer((request, response) => response.end(request.url));
  servers.push(server.listen(0, "127.0.0.1"));
  await new Promise((resolve) => server.once("listening", resolve));
  return (server.address() as AddressInfo).port;
};

/** Loads the front door again, as a development server does after an edit. */
const mount = async (policy: Partial<FrontDoorPolicy> & { readonly port: number }) => {
  vi.resetModules();
  const { mountFrontDoor } = await import("~/front-door/mount.server");
  mountFrontDoor({
    publicOrigin: undefined,
    backendHosts: [],
    trustedProxies: [],
    limits: LIMITS,
    languageCookie: "language",
    ...policy,
  });
};

const handlers = { SIGTERM: process.listeners("SIGTERM"), SIGINT: process.listeners("SIGINT") };
beforeEach(() => Reflect.deleteProperty(globalThis, Symbol.for("portal.process")));
afterEach(async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    for (const handler of process.listeners(signal))
      if (!handlers[signal].includes(handler)) process.off(signal, handler);
  }
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

test("the front door guards the public server only; other servers of the process are left alone", async () => {
  const [port, metrics] = [await hello(), await hello()];
  await mount({ port });
  expect((await ask(port, "/a")).all("X-Frame-Options")).toEqual(["DENY"]);
  expect((await ask(metrics, "/a")).all("X-Frame-Options")).toEqual([]);
  expect((await ask(metrics, "/a", { method: "PUT" })).body).toBe("/a");
});

test("a front door mounted again replaces the previous one", async () => {
  const port = await hello();
  const told: string[] = [];
  await mount({ port, onRejected: () => told.push("first") });
  await mount({ port, onRejected: () => told.push("second"), publicOrigin: "https://portal.example" });
  const headers = { Host: "portal.example" };
  expect((await ask(port, "/", { headers, method: "PUT" })).body).toBe("/refused/405");
  expect(told).toEqual(["second"]);
  expect((await ask(port, "/", { headers })).all("X-Frame-Options")).toEqual(["DENY"]);
});

test("when the process is asked to stop, idle connections end before it exits", async () => {
  const port = await hello();
  await mount({ port, limits: { ...LIMITS, STOP_IDLE_MS: 100 } });
  const idle = connect(port, "127.0.0.1").resume();
  const ended = new Promise((resolve) => idle.once("close", resolve));
  await new Promise((resolve) => servers[0]?.once("connection", resolve));
  const exited = new Promise((resolve) => {
    vi.spyOn(process, "exit").mockImplementation(((code: number) => {
      resolve(code);
    }) as typeof process.exit);
  });
  process.emit("SIGTERM");
  expect(await exited).toBe(0);
  await ended;
  vi.restoreAllMocks();
});

test("a trusted proxy that is not an address makes startup fail with a clear message", async () => {
  await expect(mount({ port: 1, trustedProxies: ["proxy"] })).rejects.toThrow(/^TRUSTED_PROXIES/);
});

test("without a front door a request has no context, and asking for one says so", async () => {
  const { contextOf } = await import("~/front-door/context.server");
  expect(() => contextOf(new IncomingMessage(new Socket()))).toThrow("no front door is mounted");
});
