import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The answer to a call. A string body is sent as it is. */
export interface Reply {
  readonly status: number;
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A backend that gives the answers a test sets, and success for everything else. */
export interface FakeBackend {
  readonly url: string;
  /** Answers by the end of the call's path; tests set theirs here. */
  readonly replies: Map<string, Reply>;
  /** Returns the calls received since it was last called, as `METHOD path`. */
  readonly takeCalls: () => readonly string[];
  readonly close: () => Promise<void>;
}

/** The cookie of a signed-in browser. */
export const SESSION = { session: "s".repeat(43) };
/** The customer who owns that session. */
export const CUSTOMER = { name: "Anna Nowak", username: "anna.nowak" };

/** The answer to the profile call. */
export const PROFILE = { ...CUSTOMER, documentPassword: false, trustedDevices: [] };

/** Starts a fake backend on a free port of 127.0.0.1. */
export async function openFakeBackend(): Promise<FakeBackend> {
  const replies = new Map<string, Reply>();
  let calls: string[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request;
    calls.push(`${method} ${url}`);
    const [, said] = [...replies].find(([path]) => url.endsWith(path)) ?? [];
    answer(request, response, said ?? usual(request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    replies,
    takeCalls: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** The happy path: any session is signed in, every code is right. */
function usual({ method, url = "", headers }: IncomingMessage): Reply {
  const isSignedIn = headers.cookie?.includes(`session=${SESSION.session}`) ?? false;
  if (method === "DELETE") return { status: 204, headers: { "Set-Cookie": "session=; Path=/; Max-Age=0" } };
  if (url.endsWith("/user/info"))
    return isSignedIn ? { status: 200, body: CUSTOMER } : { status: 401, body: {} };
  if (url.endsWith("/user/init")) return { status: isSignedIn ? 200 : 401, body: {} };
  if (url.endsWith("/cp/api/profile")) return { status: 200, body: PROFILE };
  if (/\/cp\/api\/(sessions|activity)$/.test(url)) return { status: 404, body: {} };
  if (url.endsWith("/cp/api/policies")) return { status: 200, body: { policies: [] } };
  if (url.endsWith("/login-remind/confirm")) return { status: 200, body: { username: CUSTOMER.username } };
  return { status: 200, body: {} };
}

function answer(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Reply): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/json", ...headers });
  response.end(typeof body === "string" || body === undefined ? body : JSON.stringify(body));
}
