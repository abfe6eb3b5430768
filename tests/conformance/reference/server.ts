import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { type Cookies, parseCookie, stringifySetCookie } from "cookie";
import { z } from "zod";
import { CALLS } from "~/contract/calls.server";
import { encodeRefusal, NOT_ACTIVATED, SIGNED_OUT } from "~/contract/refusal.server";
import { SECOND } from "~/platform/time.server";
import type { Answer, Handler, Name, Reply, Visit } from "./calls";
import { HANDLERS, outbox, refuseCodes } from "./calls";
import { addCustomer, findSession, type Listed, MONTH, randomToken } from "./store";

/* The rules for every call, over HTTP. Calls, paths and schemas are the contract's own. */

type Fields = Readonly<Record<string, unknown>>;
interface Message extends Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** The backend, with the customers of a file by role (docs/conformance.md). */
export async function referenceBackend(file: Readonly<Record<string, Listed | Listed[]>>): Promise<Server> {
  for (const [role, listed] of Object.entries(file))
    for (const customer of [listed].flat()) await addCustomer(role, customer);
  return createServer((request, response) => void respond(request, response));
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { browser: sent = "", ...others } = parseCookie(request.headers.cookie ?? "");
  const isNew = !/^[\w-]{43}$/.test(sent);
  const browser = isNew ? randomToken() : sent;
  const { status, body = {}, headers, cookies } = await answer(request, { ...others, browser }).catch(failed);
  response.writeHead(status, {
    "Cache-Control": "no-store",
    "Content-Type": "application/json",
    "Set-Cookie": Object.entries({ ...(isNew && { browser }), ...cookies }).map(setCookie),
    ...headers,
  });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

/** At an https origin also `Secure`, and the name begins with `__Host-`. */
function setCookie([name, value]: readonly [string, string]): string {
  const lasts = value === "" ? { maxAge: 0 } : name !== "session" && { maxAge: MONTH / SECOND };
  return stringifySetCookie({ name, value, path: "/", httpOnly: true, sameSite: "lax", ...lasts });
}

const ROUTES = (Object.keys(HANDLERS) as Name[]).map((name) => {
  const { method, path } = CALLS[name];
  const pattern = path.replace("{mode}", "(?<mode>create|change)").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return { name, method, pattern: new RegExp(`^${pattern}$`) };
});

async function answer(request: IncomingMessage, cookies: Cookies): Promise<Message> {
  const { method = "", url = "" } = request;
  // On a test system only: the messages that were sent.
  if (url === "/sms.json") return { status: 200, body: outbox };
  const here = ROUTES.filter(({ pattern }) => pattern.test(url));
  const route = here.find((each) => each.method === method);
  if (here.length === 0) return { status: 404 };
  if (!route) return { status: 405, headers: { Allow: here.map((each) => each.method).join(", ") } };
  if (method !== "GET" && isCrossSite(request)) return { status: 403 };
  const body = method === "GET" || method === "DELETE" ? {} : await readBody(request);
  if (typeof body === "number") return { status: body };
  const inPath = Object.entries(route.pattern.exec(url)?.groups ?? {});
  const decoded = inPath.map(([name, text]) => [name, decodeURIComponent(text)] as const);
  const outcome = await decide(route.name, visitOf(route.name, cookies), Object.fromEntries(decoded), body);
  if (outcome.kind !== "done") return encodeRefusal(outcome);
  return { status: method === "DELETE" ? 204 : 200, ...outcome.value };
}

function failed(error: unknown): Message {
  console.error(error);
  // An address that can't be decoded doesn't exist.
  return { status: error instanceof URIError ? 404 : 500 };
}

/** Whether a write comes from another site's page. Portals, curl and text browsers name none. */
function isCrossSite({ headers: { origin, referer, host, ...headers } }: IncomingMessage): boolean {
  const from = origin ?? referer;
  if (from !== undefined) return !URL.canParse(from) || new URL(from).host !== host;
  return !["none", "same-origin"].includes(headers["sec-fetch-site"] ?? "none");
}

/** The object in a body, undefined if it holds something else, or the status that refuses it. */
async function readBody(request: IncomingMessage): Promise<Fields | number | undefined> {
  const { "content-length": length, "content-type": type = "" } = request.headers;
  if (length === undefined) return 411;
  if (Number(length) > 16 * 1024) return 413;
  if (length === "0") return {};
  if (!/^application\/json *(; *charset="?utf-8"?)?$/i.test(type)) return 415;
  return z.record(z.string(), z.unknown()).safeParse(await json(request).catch(() => undefined)).data;
}

function visitOf(name: Name, { browser = "", session: sessionId = "", ...cookies }: Cookies): Visit {
  const [purpose, deviceToken] = [name.replace(/Init$|Confirm$/, ""), cookies["trusted-device"]];
  const session = findSession(sessionId);
  return { purpose, browser, deviceToken, sessionId, session, customer: session?.customer };
}

/** Fields that customers choose. If only these break a rule, it counts as a refusal of the code sent with them. */
const CHOSEN: readonly string[] = ["password", "newPassword", "newUsername"];
/** Confirms of the last ten seconds. A repeat gets the same answer: one effect, one session. */
const confirmed = new Map<string, Promise<Answer>>();

async function decide(name: Name, visit: Visit, inPath: Fields, body: Fields | undefined): Promise<Answer> {
  const { access, request } = CALLS[name];
  // A repeated sign-in comes with the session that the first has ended.
  const whose = access === "active" ? visit.customer?.pid : inPath;
  const key = JSON.stringify([visit.browser, name, whose, body]);
  const first = confirmed.get(key);
  if (first) return first;
  // 401 and 409 before anything else: a caller who may not make a call learns nothing about its fields.
  const state = visit.session?.state;
  if (!state && access !== "always" && access !== "open") return SIGNED_OUT;
  if (state === "pending" && (access === "open" || access === "active")) return NOT_ACTIVATED;
  const read = request.safeParse(body && { ...body, ...inPath });
  if (!read.success) {
    const fields = [...new Set(read.error.issues.flatMap(({ path }) => path.slice(0, 1).map(String)))];
    const isChosen = fields.length > 0 && fields.every((field) => CHOSEN.includes(field));
    return (isChosen && refuseCodes(visit)) || { kind: "invalid", fields };
  }
  // The schema has checked the data for this call's handler.
  const answering = Promise.resolve((HANDLERS[name] as Handler<unknown>)(visit, read.data));
  if (name.endsWith("Confirm")) {
    confirmed.set(key, answering);
    setTimeout(() => confirmed.delete(key), 10 * SECOND).unref();
    if ((await answering).kind !== "done") confirmed.delete(key);
  }
  return answering;
}
