import { mkdtemp, mkdir, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, request as send, type IncomingMessage, type Server } from "node:http";
import { createRequire } from "node:module";
import { connect, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { AppLoadContext, ServerBuild } from "@remix-run/node";
import { contextOf } from "~/front-door/context.server";
import { openFrontDoor } from "~/front-door/mount.server";
import type { FrontDoorPolicy, RejectionNotice } from "~/front-door/policy";
import { LIMITS } from "~/platform/config/limits";
import { smallBuild, type Seen } from "./front-door-build";

type Handler = (...args: unknown[]) => void;
interface Express {
  (): {
    use: (...args: unknown[]) => void;
    all: (...args: unknown[]) => void;
    disable: (name: string) => void;
  } & Handler;
  static: (folder: string, options: object) => Handler;
}
const require = createRequire(import.meta.url);
const express = require("express") as Express;
const compression = require("compression") as () => Handler;
const { createRequestHandler } = require("@remix-run/express") as {
  createRequestHandler: (options: {
    build: ServerBuild;
    mode: string;
    getLoadContext: (request: IncomingMessage) => AppLoadContext;
  }) => Handler;
};

/** A server behind the front door, built as remix-serve does it. */
export interface TestServer {
  readonly port: number;
  /** What the app's loaders and actions saw. */
  readonly seen: Seen[];
  readonly rejections: RejectionNotice[];
  readonly stop: () => Promise<void>;
  readonly drain: () => Promise<void>;
  readonly server: Server;
}

export type TestPolicy = Partial<Omit<FrontDoorPolicy, "port" | "limits" | "onRejected">> & {
  readonly limits?: Partial<FrontDoorPolicy["limits"]>;
};

export async function startServer(policy: TestPolicy = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "front-door-"));
  await files(folder);
  const seen: Seen[] = [];
  const app = express();
  app.disable("x-powered-by");
  app.use(compression());
  app.use("/assets/", express.static(join(folder, "assets"), { immutable: true, maxAge: "1y" }));
  app.use(express.static(join(folder, "public"), { maxAge: "1h" }));
  app.use("/broken", () => {
    throw new Error("secret detail of a library");
  });
  const getLoadContext = (request: IncomingMessage) => ({ incoming: contextOf(request) });
  app.all("*", createRequestHandler({ build: smallBuild(seen), mode: "production", getLoadContext }));
  const server = createServer(app);
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const rejections: RejectionNotice[] = [];
  const door = openFrontDoor({
    publicOrigin: undefined,
    backendHosts: [],
    trustedProxies: [],
    languageCookie: "language",
    ...policy,
    limits: { ...LIMITS, ...policy.limits },
    port,
    onRejected: (rejection) => rejections.push(rejection),
  });
  const stop = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
    door.close();
    await rm(folder, { recursive: true });
  };
  return { port, seen, rejections, server, stop, drain: () => door.drain() };
}

async function files(folder: string): Promise<void> {
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, "public"));
  await writeFile(join(folder, "assets", "app-0a1b2c.js"), `export const long = "${"x".repeat(4000)}";`);
  await writeFile(join(folder, "public", "terms.pdf"), "%PDF-1.4 as it were");
  await utimes(join(folder, "public", "terms.pdf"), 1_700_000_000, 1_700_000_000);
}

export interface Answer {
  readonly status: number;
  /** Every value of a header, one for each line received. */
  readonly all: (name: string) => string[];
  readonly names: string[];
  readonly body: string;
}

/** One request on its own connection, with these headers and the Host that Node adds. */
export async function ask(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string; agent?: false } = {},
): Promise<Answer> {
  const { body, ...rest } = options;
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send({ host: "127.0.0.1", port, path, agent: false, ...rest }, resolve);
    request.on("error", reject);
    request.end(body);
  });
  const pairs = answer.rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [{ name: name.toLowerCase(), value: answer.rawHeaders[at + 1] ?? "" }] : [],
  );
  return {
    status: answer.statusCode ?? 0,
    all: (name) => pairs.filter((pair) => pair.name === name.toLowerCase()).map(({ value }) => value),
    names: pairs.map(({ name }) => name),
    body: await text(answer),
  };
}

/** Sends raw bytes and returns everything received until the server closes the connection. */
export function raw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk: string) => (received += chunk));
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(received);
    });
    socket.write(bytes, "latin1");
  });
}

/** The status codes in a raw exchange, in order. */
export function statuses(exchange: string): number[] {
  return [...exchange.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, status]) => Number(status));
}
