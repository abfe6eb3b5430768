import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CALLS, type CallName } from "~/contract/calls.server";
import { madeOnce } from "../made-once";
import { startPortal } from "../portal";
import { cleanUpAtExit } from "../shared-portal";

/** The answer to one call: anything that can be done to a socket. */
export type Reply = (response: ServerResponse) => void;

/** A received call. */
export interface Received {
  readonly name: CallName;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A server that keeps the backend contract, except where a test says otherwise. */
export interface HostileBackend {
  readonly url: string;
  /** The answers to give from now on. */
  readonly replies: Partial<Record<CallName, Reply>>;
  /** The calls so far. */
  readonly received: Received[];
  /** Requests for anything else: a followed redirect ends here. */
  readonly astray: string[];
  /** Forgets replies and calls. */
  readonly reset: () => void;
  readonly stop: () => Promise<void>;
}

/** Answers with JSON. */
export function json(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string | string[]>> = {},
): Reply {
  return (response) => {
    response.writeHead(status, { "Content-Type": "application/json", ...headers }).end(JSON.stringify(body));
  };
}

/** The customer whose account it has. */
export const CUSTOMER = { name: "Anna Nowak", username: "anna.nowak" };
/** The cookie of a signed-in browser. */
export const SIGNED_IN = { session: "active" };
const isActive = ({ cookie = "" }: IncomingHttpHeaders) => /(^|; )session=active/.test(cookie);
const hasSession = ({ cookie = "" }: IncomingHttpHeaders) => /(^|; )session=\w/.test(cookie);
const setSession = (value: string) => ({ "Set-Cookie": `session=${value}; Path=/; HttpOnly` });
/** The answer to the profile call. */
export const PROFILE = { ...CUSTOMER, documentPassword: false, trustedDevices: [] };

/** A well-behaved backend's answer to these cookies. */
function wellBehaved(name: CallName, headers: IncomingHttpHeaders): Reply {
  switch (name) {
    case "login":
      return json(200, {}, setSession("pending"));
    case "activateSessionConfirm":
      return json(200, {}, setSession("active"));
    case "userInfo":
      return hasSession(headers) ? json(200, CUSTOMER) : json(401, {});
    case "userInit":
      return isActive(headers) ? json(200, {}) : json(hasSession(headers) ? 409 : 401, {});
    case "policies":
      return json(200, { policies: [] });
    case "profile":
      return json(200, PROFILE);
    case "sessions":
    case "activity":
      return json(404, {});
    case "deleteSession":
      return (response) => response.writeHead(204, { "Set-Cookie": "session=; Max-Age=0; Path=/" }).end();
    default:
      return CALLS[name].method === "DELETE"
        ? (response) => response.writeHead(204).end()
        : json(200, { username: CUSTOMER.username });
  }
}

/** Starts a hostile backend on a free port of 127.0.0.1. */
export async function startHostileBackend(): Promise<HostileBackend> {
  const replies: Partial<Record<CallName, Reply>> = {};
  const received: Received[] = [];
  const astray: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const name = callOf(request.method ?? "", request.url ?? "");
      if (!name) {
        astray.push(`${request.method ?? ""} ${request.url ?? ""}`);
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
        return;
      }
      received.push({ name, headers: request.headers, body: Buffer.concat(chunks).toString("utf8") });
      (replies[name] ?? wellBehaved(name, request.headers))(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replies,
    received,
    astray,
    reset: () => {
      for (const name of Object.keys(replies) as CallName[]) Reflect.deleteProperty(replies, name);
      received.length = 0;
      astray.length = 0;
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

const PATTERNS = (Object.keys(CALLS) as CallName[]).map((name) => ({
  name,
  method: CALLS[name].method,
  path: new RegExp(`^${CALLS[name].path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
}));

function callOf(method: string, path: string): CallName | undefined {
  return PATTERNS.find((pattern) => pattern.method === method && pattern.path.test(path))?.name;
}

/**
 * A hostile backend and the portal attached to it, which the files of a worker share. The portal believes X-Forwarded-For.
 */
export const sharedAttachedPortal = madeOnce(async () => {
  const backend = await startHostileBackend();
  const portal = await startPortal({ env: { BACKEND_URL: backend.url, TRUSTED_PROXIES: "127.0.0.1" } });
  cleanUpAtExit(portal);
  return { backend, portal };
});
