import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createRequire } from "node:module";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createRequestHandler } from "@remix-run/node";
import { createRequest, sendResponse } from "@remix-run/node-fetch-server";
import { filesIn } from "~/server/files";
import { type Answerers, Listener } from "~/server/listener";
import type { FrontDoorPolicy, RejectionNotice } from "~/server/front-door/policy";
import { LIMITS } from "~/platform/config/limits";
import { PortalServer } from "~/server/portal-server";
import { ask as send, type HttpAnswer, type HttpRequest } from "../http-request";
import { type Seen, smallBuild } from "./front-door-build";

interface Express extends RequestListener {
  (): Express;
  use(...args: unknown[]): void;
  static(folder: string, options: object): unknown;
}
const require = createRequire(import.meta.url);
const express = require("express") as Express;
const compression = require("compression") as () => unknown;

/** The portal's server around a small app, with files that Express serves as in remix-serve. */
export interface TestServer {
  readonly port: number;
  /** The requests that reached the app's loaders and actions. */
  readonly seen: Seen[];
  readonly rejections: RejectionNotice[];
  readonly stop: () => Promise<void>;
  readonly server: PortalServer;
}

export type TestPolicy = Partial<Omit<FrontDoorPolicy, "limits" | "onRejected">> & {
  readonly limits?: Partial<FrontDoorPolicy["limits"]>;
  /** Replaces the small app and everything else that answers. */
  readonly answerAll?: Answerers["answerFromMemory"];
};

export async function startServer({ answerAll, ...policy }: TestPolicy = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), "front-door-"));
  await files(folder);
  const seen: Seen[] = [];
  const serveFile = express();
  serveFile.use(compression());
  serveFile.use("/assets/", express.static(join(folder, "assets"), { immutable: true, maxAge: "1y" }));
  serveFile.use(express.static(join(folder, "public"), { maxAge: "1h" }));
  const app = createRequestHandler(smallBuild(seen), "production");
  const rejections: RejectionNotice[] = [];
  const listener = new Listener(
    {
      publicOrigin: undefined,
      backendHosts: [],
      trustedProxies: [],
      languageCookie: "language",
      ...policy,
      limits: { ...LIMITS, ...policy.limits },
      onRejected: (rejection) => rejections.push(rejection),
    },
    {
      app,
      answerCall: async (request, response, incoming) => {
        await sendResponse(response, await app(createRequest(request, response), { incoming, app }));
      },
      answerFromMemory:
        answerAll ??
        (({ url }) => {
          if (url === "/broken") throw new Error("secret detail of a library");
          return Promise.resolve(false);
        }),
      maintenanceUntil: () => undefined,
      files: filesIn(folder, join(folder, "public")),
      reportFailure: () => undefined,
    },
  );
  const server = new PortalServer(listener, serveFile);
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    const drained = server.drain();
    server.closeAllConnections();
    await drained;
    await rm(folder, { recursive: true, force: true });
  };
  return { port, seen, rejections, server, stop };
}

async function files(folder: string): Promise<void> {
  await mkdir(join(folder, "assets"));
  await mkdir(join(folder, "public"));
  await writeFile(join(folder, "assets", "app-0a1b2c.js"), `export const long = "${"x".repeat(4000)}";`);
  await writeFile(join(folder, "public", "terms.pdf"), "%PDF-1.4 as it were");
  await utimes(join(folder, "public", "terms.pdf"), 1_700_000_000, 1_700_000_000);
}

/** One request on its own connection. */
export function ask(
  port: number,
  path: string,
  options: Omit<HttpRequest, "port" | "path"> = {},
): Promise<HttpAnswer> {
  return send({ port, path, ...options });
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
