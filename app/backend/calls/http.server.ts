import { CALLS, type CallName } from "~/contract/calls.server";
import type { AnswerMessage, CallMessage, MessageHeaders } from "~/contract/messages.server";
import { pdfHeaders } from "~/contract/pdf-file.server";
import { encodeRefusal, type Refusal } from "~/contract/refusal.server";
import { BodyTooLong, readUpTo } from "~/platform/files/read-up-to.server";
import { answerCall, greeting, type Origin } from "./answer-call.server";
import type { Cookies } from "./cookies.server";
import type { Dependencies } from "../dependencies.server";
import { isFileReply, type Reply } from "./handlers.server";

/*
 * The backend over HTTP (contract: backend API), for testers and for other portals. The portal itself calls it in
 * process.
 */

const MS_SINCE_1970 = /^\d{13}$/;

/** Answers a call that came over HTTP. */
export type Handle = (call: CallMessage) => Promise<AnswerMessage>;

/**
 * The backend as one function over HTTP. It never throws. The headers it trusts (`X-Forwarded-For`, `X-Request-Id`,
 * `X-Received-At`, `X-Device-Name`) come from the portal's front door.
 */
export function makeHandle(deps: Dependencies, cookies: Cookies): Handle {
  return async (call) => {
    const origin = originOf(call, cookies);
    /** The answer to a request that is not a call; it greets a new browser like any other answer. */
    const refuse = (status: number, headers: MessageHeaders = {}): AnswerMessage => ({
      ...json(status, {}, headers),
      setCookies: greeting(deps.limits, origin).map(cookies.line),
    });
    const route = findRoute(call.method, call.path);
    if (route.kind === "unknown-path") return refuse(404);
    if (route.kind === "wrong-method") return refuse(405, { allow: route.allowed.join(", ") });

    const hasBody = call.method !== "GET" && call.method !== "DELETE";
    const body: Body = hasBody ? await readBody(call, deps.limits.API_BODY_BYTES) : { kind: "empty" };
    if (body.kind === "refused") return refuse(body.status);

    const sent = objectIn(body);
    // The body can't override the path.
    const payload = { ...sent, ...route.parameters };
    const isUnreadable = sent === undefined;
    const answered = await answerCall(deps, route.name, payload, origin, { isUnreadable });
    const { answer } = answered;
    const setCookies = answered.cookies.map(cookies.line);
    if (answer.kind === "failed") return { ...json(500, {}), setCookies };
    if (answer.kind === "done") return { ...reply(answer.value), setCookies };
    return { ...refusalOverHttp(answer), setCookies };
  };
}

/** Writes a refusal as the contract prescribes. */
export function refusalOverHttp(refusal: Refusal): AnswerMessage {
  const { status, body, headers } = encodeRefusal(refusal);
  return json(status, body, headers);
}

function originOf({ headers, left }: CallMessage, cookies: Cookies): Origin {
  const receivedAt = headers["x-received-at"] ?? "";
  return {
    address: headers["x-forwarded-for"] ?? "unknown",
    requestId: headers["x-request-id"] ?? "",
    deviceName: decoded(headers["x-device-name"]),
    host: headers["host"],
    receivedAt: MS_SINCE_1970.test(receivedAt) ? Number(receivedAt) : undefined,
    tokens: cookies.read(headers["cookie"]),
    left,
  };
}

function decoded(text = ""): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

/** No answer may be cached on the way (S55). */
const NOT_STORED = { "cache-control": "no-store" };

function json(status: number, body: object, headers: MessageHeaders = {}): AnswerMessage {
  const all = { ...NOT_STORED, ...headers, "content-type": "application/json" };
  return { status, headers: all, setCookies: [], body: JSON.stringify(body) };
}

function reply(made: Reply): AnswerMessage {
  if (made.isEmpty) return { status: 204, headers: NOT_STORED, setCookies: [], body: "" };
  if (!isFileReply(made)) return json(200, made.body);
  const headers = { ...NOT_STORED, ...pdfHeaders(made.body) };
  return { status: 200, headers, setCookies: [], body: made.body.body };
}

/** A request's body, or the status that refuses it. */
type Body =
  | { readonly kind: "json"; readonly value: unknown }
  | { readonly kind: "empty" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "refused"; readonly status: 413 | 415 };

/** Reads a JSON body. Never throws. */
async function readBody({ headers, body }: CallMessage, mostBytes: number): Promise<Body> {
  const chunks = typeof body === "string" ? [Buffer.from(body)] : body;
  const bytes = await readUpTo(mostBytes, chunks).catch((error: unknown) =>
    error instanceof BodyTooLong ? "too-large" : "broken",
  );
  if (bytes === "too-large") return { kind: "refused", status: 413 };
  if (bytes === "broken") return { kind: "unreadable" };
  if (bytes.byteLength === 0) return { kind: "empty" };
  if (!isJson(headers["content-type"] ?? "")) return { kind: "refused", status: 415 };
  try {
    return { kind: "json", value: JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) };
  } catch {
    return { kind: "unreadable" };
  }
}

/** Whether a media type is JSON in UTF-8, the only encoding it may have (RFC 8259 §8.1). */
function isJson(contentType: string): boolean {
  const [type = "", ...parameters] = contentType.split(";").map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith("charset="));
  return type === "application/json" && (charset === undefined || /^charset="?utf-8"?$/.test(charset));
}

/** The object that a body holds; undefined if it holds something else. An empty body counts as `{}`. */
function objectIn(body: Body): Record<string, unknown> | undefined {
  if (body.kind === "empty") return {};
  if (body.kind !== "json" || typeof body.value !== "object" || Array.isArray(body.value)) return undefined;
  return body.value === null ? undefined : { ...body.value };
}

/** The call that a request makes, or the reason why it makes none. */
type Route =
  | { readonly kind: "call"; readonly name: CallName; readonly parameters: Readonly<Record<string, string>> }
  | { readonly kind: "unknown-path" }
  | { readonly kind: "wrong-method"; readonly allowed: readonly string[] };

const NAMES = Object.keys(CALLS) as CallName[];

/** A segment of a call's path: fixed text or a named parameter. */
type Segment = { readonly text: string } | { readonly parameter: string };

const PATTERNS = NAMES.map((name) => ({
  name,
  method: CALLS[name].method,
  segments: CALLS[name].path.split("/").map(toSegment),
}));

function toSegment(text: string): Segment {
  const parameter = /^\{(\w+)\}$/.exec(text)?.[1];
  return parameter === undefined ? { text } : { parameter };
}

/** Finds the call for a method and path. `{…}` in a call's path stands for one segment. */
function findRoute(method: string, path: string): Route {
  const here = callsAt(path);
  if (here.length === 0) return { kind: "unknown-path" };
  const found = here.find((candidate) => candidate.method === method);
  if (!found) return { kind: "wrong-method", allowed: here.map((candidate) => candidate.method) };
  return { kind: "call", name: found.name, parameters: found.parameters };
}

/** The calls at a path, with the values of its parameters. */
function callsAt(path: string) {
  const segments = path.split("/");
  return PATTERNS.flatMap(({ name, method, segments: pattern }) => {
    const parameters = match(pattern, segments);
    return parameters ? [{ name, method, parameters }] : [];
  });
}

function match(pattern: readonly Segment[], segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== segments.length) return undefined;
  // Most patterns already differ in their text, so compare that before decoding anything.
  if (pattern.some((expected, index) => "text" in expected && expected.text !== segments[index]))
    return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.entries()) {
    if ("text" in expected) continue;
    const value = decode(segments[index] ?? "");
    if (value === undefined || value === "") return undefined;
    parameters[expected.parameter] = value;
  }
  return parameters;
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
