import { randomUUID } from "node:crypto";
import { withVariables } from "~/platform/config/environment.server";
import type { RequestContext, RouteArgs } from "~/server/front-door/context.server";
import { replaceBackend } from "~/visit/visit.server";
import { empty, json, replies, sendToStub } from "./backend-stub";

/** No visit in these tests shows another screen's page. */
const noApp = () => Promise.reject(new Error("no app here"));

export type { RouteArgs };

/** The variable parts of a browser's request. */
export interface VisitOptions {
  readonly method?: "GET" | "POST";
  readonly cookies?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The portal's variables. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** A request inside the portal as a loader or action gets it, and the cookies its answer will set. */
export interface Visit extends RouteArgs {
  /** The same request for another loader, since each gets a `Request` of its own. */
  again(): RouteArgs;
  /** Runs work as part of answering the request. */
  run<Value>(work: (args: RouteArgs) => Value): Value;
  /** The `Set-Cookie` lines so far. */
  readonly setCookies: readonly string[];
  /** The value the answer gives a cookie; undefined if it does not set it, "" if it removes it. */
  cookie(name: string): string | undefined;
}

/** Without one, each test would leave a key in the data directory. */
const SESSION_SECRET = randomUUID() + randomUUID();
/** A token as the backend makes it. */
export const SESSION = "s".repeat(43);
/** The cookie of a visitor who accepted cookies. */
export const CONSENT = { "accepted-cookies": "true" };

/** A request to the portal, let in by the front door. Its calls go to the stub. */
export function visit(
  path: string,
  { method = "GET", cookies = CONSENT, headers, variables }: VisitOptions = {},
): Visit {
  const incoming: RequestContext = {
    requestId: "b10c4a7be000",
    clientAddress: "203.0.113.9",
    isForwarded: false,
    receivedAt: Date.now(),
    setCookies: [],
  };
  const cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");
  const make = () =>
    new Request(`http://portal.example${path}`, {
      method,
      headers: { ...(cookie !== "" && { Cookie: cookie }), Host: "portal.example", ...headers },
    });
  const context = { incoming, app: noApp };
  const args = { request: make(), context };
  const inPortal = <Value>(work: () => Value) => withVariables({ SESSION_SECRET, ...variables }, work);
  inPortal(() => {
    replaceBackend(args, sendToStub);
  });
  return {
    ...args,
    again: () => ({ request: make(), context }),
    run: (work) => inPortal(() => work(args)),
    setCookies: incoming.setCookies,
    cookie: (name) => {
      const line = incoming.setCookies.findLast((each) => each.startsWith(`${name}=`));
      return line?.slice(name.length + 1).split(";")[0];
    },
  };
}

/** Kinds of visitor: the backend's answers about them, and their cookies. */
export const WHO = {
  "without consent": { cookies: {}, info: () => empty(500), init: () => empty(500) },
  "signed out": { cookies: CONSENT, info: () => json(401, {}), init: () => json(401, {}) },
  pending: {
    cookies: { ...CONSENT, session: SESSION },
    info: () => json(200, { name: "Anna Nowak", username: "anna.nowak" }),
    init: () => json(409, {}),
  },
  "signed in": {
    cookies: { ...CONSENT, session: SESSION },
    info: () => json(200, { name: "Anna Nowak", username: "anna.nowak" }),
    init: () => json(200, {}),
  },
  "unknown, as the backend fails": {
    cookies: { ...CONSENT, session: SESSION },
    info: () => json(500, {}),
    init: () => json(500, {}),
  },
  "unknown, as the backend is busy": {
    cookies: { ...CONSENT, session: SESSION },
    info: () => json(503, { errorCode: "busy", retryAfterSeconds: 2 }),
    init: () => json(503, { errorCode: "busy", retryAfterSeconds: 2 }),
  },
} as const;
export type Who = keyof typeof WHO;

/** A request by this kind of visitor, with matching answers from the backend. */
export function visitOf(who: Who, path: string, options: VisitOptions = {}): Visit {
  const { cookies, info, init } = WHO[who];
  replies.userInfo = info;
  replies.userInit = init;
  return visit(path, { ...options, cookies: { ...cookies, ...options.cookies } });
}

/** How a gate ended: whom it let in, or where it led. */
export type Ended =
  | { readonly kind: "in"; readonly value: unknown }
  | { readonly kind: "redirect"; readonly status: number; readonly to: string }
  | { readonly kind: "thrown"; readonly status: number; readonly retryAfter: string | null };

/** Waits for work, and returns how it ended. Rethrows anything that is neither a value nor an answer. */
export async function endOf(work: Promise<unknown>): Promise<Ended> {
  try {
    return { kind: "in", value: await work };
  } catch (thrown) {
    const status = thrown instanceof Response ? thrown.status : initOf(thrown).status;
    const headers = new Headers(thrown instanceof Response ? thrown.headers : initOf(thrown).headers);
    const to = headers.get("Location");
    if (status === undefined) throw thrown;
    return to === null
      ? { kind: "thrown", status, retryAfter: headers.get("Retry-After") }
      : { kind: "redirect", status, to };
  }
}

/** Remix's `data(…)` is not a Response: its status and headers are kept separately. */
function initOf(thrown: unknown): ResponseInit {
  const init = typeof thrown === "object" && thrown !== null && "init" in thrown ? thrown.init : undefined;
  return typeof init === "object" && init !== null ? init : {};
}
