import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { type Access, CALLS, costsNoTry } from "~/contract/calls.server";
import { encodeRefusal, type Outcome, type Refusal } from "~/contract/refusal.server";
import { cookie, HANDLERS } from "./calls";
import { outbox, refuseCodes, type Reply, type Visit } from "./codes";
import { type Customer, DAY, findSession, randomToken, SECOND } from "./store";

/* What holds for every call, over HTTP. Calls, paths and schemas are the contract's own. */

type Fields = Readonly<Record<string, unknown>>;
type Message = Reply & {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

const NAMES = Object.keys(HANDLERS) as (keyof typeof HANDLERS)[];
const ROUTES = NAMES.map((name) => {
  const { method, path } = CALLS[name];
  const pattern = path.replace("{mode}", "(?<mode>create|change)").replace(/\{(\w+)\}/g, "(?<$1>[^/]+)");
  return { name, method, pattern: new RegExp(`^${pattern}$`) };
});

/** The backend, for `npm run reference-backend`. */
export function referenceBackend(): Server {
  return createServer((request, response) => void respond(request, response));
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const pairs = (request.headers.cookie ?? "").split(/; */).map((pair) => /^(.*?)=(.*)$/.exec(pair) ?? []);
  const cookies = new Map(pairs.map(([, name = "", value = ""]) => [name, value]));
  const sent = cookies.get("browser") ?? "";
  const browser = /^[\w-]{43}$/.test(sent) ? sent : randomToken();
  const visit = visitOf(cookies, browser);
  const { status, body = {}, headers, cookies: own = [] } = await answer(request, visit).catch(faulty);
  const isGreeted = browser === sent || own.some((line) => line.startsWith("browser="));
  response.writeHead(status, {
    "Cache-Control": "no-store",
    "Content-Type": "application/json",
    "Set-Cookie": isGreeted ? [...own] : [...own, cookie("browser", browser, 30 * DAY)],
    ...headers,
  });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}

/** Sessions whose id was replaced a moment ago: the confirm that did it may be repeated with the dead one. */
const replaced = new Map<string, Customer>();

function visitOf(cookies: ReadonlyMap<string, string>, browser: string): Visit {
  const sessionId = cookies.get("session") ?? "";
  const session = findSession(sessionId);
  const customer = session?.customer ?? replaced.get(sessionId);
  return { browser, deviceToken: cookies.get("trusted-device"), sessionId, session, customer };
}

async function answer(request: IncomingMessage, visit: Visit): Promise<Message> {
  const { method = "", url = "" } = request;
  // On a test system only: what was sent.
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
  const outcome = await decide(route.name, visit, Object.fromEntries(decoded), body);
  if (outcome.kind !== "done") return encodeRefusal(outcome);
  return { status: method === "DELETE" ? 204 : 200, ...outcome.value };
}

/** An address that can't be decoded is none; anything else is a fault of ours. */
function faulty(error: unknown): Message {
  if (error instanceof URIError) return { status: 404 };
  console.error(error);
  return { status: 500 };
}

/** Whether a write comes from another site's page. Portals, curl and text browsers name none. */
function isCrossSite({ headers: { origin, referer, host, ...headers } }: IncomingMessage): boolean {
  const from = origin ?? referer;
  if (from !== undefined) return !URL.canParse(from) || new URL(from).host !== host;
  return !["none", "same-origin"].includes(headers["sec-fetch-site"] ?? "none");
}

/** The object in a body, undefined if there is another thing in it, or the status that refuses it. */
async function readBody(request: IncomingMessage): Promise<Fields | number | undefined> {
  const { "content-length": length, "content-type": type = "" } = request.headers;
  const isTooLarge = Number(length) > 16 * 1024;
  const chunks: Uint8Array[] = [];
  for await (const chunk of request as AsyncIterable<Uint8Array>) if (!isTooLarge) chunks.push(chunk);
  if (length === undefined) return 411;
  if (isTooLarge) return 413;
  if (chunks.length === 0) return {};
  if (!/^application\/json *(; *charset="?utf-8"?)?$/i.test(type)) return 415;
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}

/** The fields that say whose code it is. */
const OWNERS: readonly string[] = ["username", "policyNo", "pid"];
/** Confirms of the last ten seconds. A repeat gets the same answer: one effect, one session. */
const confirmed = new Map<string, Promise<Outcome<Reply>>>();

async function decide(
  name: keyof typeof HANDLERS,
  visit: Visit,
  inPath: Fields,
  body: Fields | undefined,
): Promise<Outcome<Reply>> {
  const { access, request } = CALLS[name];
  const key = JSON.stringify([visit.browser, name, access === "open" ? inPath : visit.customer?.pid, body]);
  const first = confirmed.get(key);
  if (first) return first;
  const barred = barrier(access, visit);
  if (barred) return barred;
  const read = request.safeParse(body && { ...body, ...inPath });
  if (!read.success) {
    const fields = [...new Set(read.error.issues.flatMap(({ path }) => path.slice(0, 1).map(String)))];
    // What can't be a code, or names nobody, counts nowhere.
    const counts = !fields.some((field) => costsNoTry(name, field) || OWNERS.includes(field));
    return (counts && refuseCodes(visit, name.replace("Confirm", ""))) || { kind: "invalid", fields };
  }
  // The schema has checked what this call's handler gets.
  const handler = HANDLERS[name] as (visit: Visit, sent: unknown) => Outcome<Reply> | Promise<Outcome<Reply>>;
  if (!name.endsWith("Confirm")) return handler(visit, read.data);
  const answering = Promise.resolve(handler(visit, read.data));
  remember(confirmed, key, answering);
  const outcome = await answering;
  if (outcome.kind !== "done") confirmed.delete(key);
  else if (visit.session) remember(replaced, visit.sessionId, visit.session.customer);
  return outcome;
}

function remember<Value>(kept: Map<string, Value>, key: string, value: Value): void {
  kept.set(key, value);
  setTimeout(() => kept.delete(key), 10 * SECOND).unref();
}

/** 401 or 409 for those who may not make a call: they learn nothing about its fields. */
function barrier(access: Access, { session }: Visit): Refusal | undefined {
  const isForAll = access === "always" || access === "open";
  if (!session) return isForAll ? undefined : { kind: "signed-out" };
  const isShut = session.state === "pending" && (access === "open" || access === "active");
  return isShut ? { kind: "not-activated" } : undefined;
}
