import { DEVICE_COOKIES } from "~/backend/index.server";
import { type Answer, decodeRefusal } from "~/contract/refusal.server";
import { CALLS, type CallName, type CallRequest, type CallResponse } from "~/contract/calls.server";
import {
  jsonIn,
  type AnswerMessage,
  type CallMessage,
  type MessageHeaders,
} from "~/contract/messages.server";
import { decodePdf, MOST_DOCUMENT_BYTES, PDF, pdfFile } from "~/contract/pdf-file.server";
import type { RequestContext } from "~/server/front-door/context.server";
import { readUpTo } from "~/platform/files/read-up-to.server";
import { hostPrefixed, portalCookieNames } from "../browser.server";
import { CookieJar, cookiesForBackend, setCookieLinesForBrowser } from "./attached-cookies";
import type { BackendClient, Visiting } from "./client";

/** Sends a call to a backend over HTTP. */
export type Send = (call: CallMessage) => Promise<AnswerMessage>;

/** A backend over HTTP: an insurer's own, another portal's, or the gallery's. */
export class AttachedClient implements BackendClient {
  readonly #visiting: Visiting;
  readonly #send: Send;
  readonly #jar: CookieJar;

  constructor(visiting: Visiting, send: Send) {
    this.#visiting = visiting;
    this.#send = send;
    const [, ...further] = DEVICE_COOKIES;
    const withheld = [...portalCookieNames(), ...further];
    this.#jar = new CookieJar(visiting.cookies ?? null, withheld, (line) => {
      visiting.context.setCookies.push(line);
    });
  }

  async call<Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
    left?: () => AbortSignal,
  ): Promise<Answer<CallResponse<Name>>> {
    const { context, deviceName } = this.#visiting;
    const call = callFor(name, payload, context, this.#jar.header, await deviceName());
    const message = await this.#send({ ...call, ...(left && { left }) });
    this.#jar.apply(message);
    return readAnswer(name, message);
  }

  hasSession(): boolean {
    return this.#jar.has(hostPrefixed("session"));
  }

  browser(): string {
    return this.#jar.get(hostPrefixed("browser")) ?? "";
  }
}

/** Segments that a URL parser doesn't read as names (WHATWG URL, "single-dot" and "double-dot path segment"). */
const NO_SEGMENT = /^\.{0,2}$/;

function callFor<Name extends CallName>(
  name: Name,
  payload: CallRequest<Name>,
  { clientAddress, requestId, receivedAt }: RequestContext,
  cookies: string,
  deviceName: string,
): CallMessage {
  const { method, response } = CALLS[name];
  const { path, body } = placeFields(CALLS[name].path, payload);
  const isRead = method === "GET" || method === "DELETE";
  const headers = {
    "x-forwarded-for": clientAddress,
    "x-request-id": requestId,
    "x-received-at": String(receivedAt),
    "x-device-name": encodeURIComponent(deviceName),
    ...(response === pdfFile && { accept: PDF }),
    ...(cookies !== "" && { cookie: cookies }),
    ...(!isRead && { "content-type": "application/json" }),
  };
  return { method, path, headers, body: isRead ? "" : JSON.stringify(body) };
}

/**
 * Puts each field named in braces into the path; the rest become the body.
 * @throws Error if such a field would lead to another path
 */
function placeFields(template: string, payload: Record<string, unknown>) {
  const placed = new Set<string>();
  const path = template.replace(/\{(\w+)\}/g, (_braces, field: string) => {
    placed.add(field);
    const value = String(payload[field]);
    if (NO_SEGMENT.test(value)) throw new Error(`${field} can't be a part of a path`);
    return encodeURIComponent(value);
  });
  const body = Object.fromEntries(Object.entries(payload).filter(([field]) => !placed.has(field)));
  return { path, body };
}

function readAnswer<Name extends CallName>(name: Name, message: AnswerMessage): Answer<CallResponse<Name>> {
  const { method, response: schema } = CALLS[name];
  switch (message.status) {
    case 204:
      if (method !== "DELETE") return { kind: "failed" };
      return { kind: "done", value: schema.parse({}) as CallResponse<Name> };
    case 200: {
      const value: unknown = schema === pdfFile ? decodePdf(message) : jsonIn(message);
      return { kind: "done", value: schema.parse(value) as CallResponse<Name> };
    }
    default:
      return decodeRefusal(message) ?? { kind: "failed" };
  }
}

/** The attached backend's address, and how far it is trusted. */
interface AttachedBackend {
  /** Its origin. */
  readonly url: string;
  /** Whether customers reach the portal over https; it decides the names and flags of their cookies. */
  readonly https: boolean;
  /** Timeout of a call, including the answer's body (ms). */
  readonly timeoutMs: number;
  /** Longest answer accepted, decompressed (bytes). */
  readonly answerBytes: number;
  /** Longest pause between two pieces of a document (ms). */
  readonly documentPauseMs: number;
}

/**
 * Sends calls to a backend over HTTP, on kept-alive connections. Doesn't follow redirects, which could send a password
 * anywhere (S70). A call runs to its end even if the visitor leaves, because the second request of a double submit must
 * run too; only the transfer of a document is aborted.
 *
 * Of the answer, only status, body, cookies and `Retry-After` are used, and a document's type, name and length.
 * @throws Error if there is no answer, or it comes too late or is too long
 */
export function attachedBackend(backend: AttachedBackend): Send {
  const { url, https, timeoutMs, answerBytes } = backend;
  return async (call) => {
    const sent = call.headers["cookie"] ?? "";
    const asksForDocument = call.headers["accept"] === PDF;
    const end = new AbortController();
    const left = asksForDocument ? call.left?.() : undefined;
    const timer = setTimeout(() => {
      end.abort(new DOMException("The backend took too long", "TimeoutError"));
    }, timeoutMs);
    try {
      const answer = await fetch(url + call.path, {
        method: call.method,
        headers: headersForBackend(call, cookiesForBackend(sent, https)),
        // Sent as text, which declares its length: servers may refuse a body without one.
        ...(typeof call.body === "string" && call.body !== "" && { body: call.body }),
        redirect: "manual",
        signal: left ? AbortSignal.any([end.signal, left]) : end.signal,
      });
      const { status, headers: given } = answer;
      const setCookies = setCookieLinesForBrowser(given.getSetCookie(), sent, https, Date.now());
      const forPortal = { status, setCookies, headers: pick(given, ["retry-after"]) };
      if (asksForDocument && status === 200 && answer.body)
        return { ...forPortal, ...document(answer, answer.body, backend, end) };
      return { ...forPortal, body: new TextDecoder().decode(await readUpTo(answerBytes, answer.body)) };
    } finally {
      clearTimeout(timer);
    }
  };
}

function headersForBackend({ headers }: CallMessage, cookies: string): Record<string, string> {
  // Leaves out the time of arrival: another machine has another clock.
  const { cookie: _cookie, "x-received-at": _receivedAt, ...others } = headers;
  return { accept: "application/json", ...others, ...(cookies !== "" && { cookie: cookies }) };
}

/** Streams a document as it arrives, because it may be large and take longer than any other answer. */
function document(
  { headers }: Response,
  body: ReadableStream<Uint8Array>,
  { documentPauseMs }: AttachedBackend,
  end: AbortController,
): Pick<AnswerMessage, "headers" | "body"> {
  // A compressed answer declares its compressed length.
  const length = headers.has("Content-Encoding") ? [] : ["content-length"];
  const limits = { mostBytes: MOST_DOCUMENT_BYTES, pauseMs: documentPauseMs };
  return {
    headers: pick(headers, ["content-type", "content-disposition", ...length]),
    body: streamUpTo(body, limits, end),
  };
}

function pick(headers: Headers, names: readonly string[]): MessageHeaders {
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]));
}

/** How far another server's long answer is trusted. */
interface StreamLimits {
  readonly mostBytes: number;
  /** Longest wait for the next piece, in ms. */
  readonly pauseMs: number;
}

/**
 * Streams the body of another server's answer. Breaks off with an error if it is too long or the next piece takes too
 * long, and closes the connection if the visitor leaves.
 * @param end ends the request to that server
 */
function streamUpTo(
  body: ReadableStream<Uint8Array>,
  { mostBytes, pauseMs }: StreamLimits,
  end: AbortController,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let length = 0;
  return new ReadableStream(
    {
      async pull(controller) {
        // Runs only while the visitor is waiting: a slow visitor is not that server's fault.
        const timer = setTimeout(() => {
          end.abort(new Error(`The answer paused for more than ${pauseMs} ms`));
        }, pauseMs);
        const { done, value } = await reader.read().finally(() => {
          clearTimeout(timer);
        });
        if (done) {
          controller.close();
          return;
        }
        length += value.byteLength;
        if (length > mostBytes) {
          const tooLong = new Error(`The answer is longer than ${mostBytes} bytes`);
          end.abort(tooLong);
          throw tooLong;
        }
        controller.enqueue(value);
      },
      cancel(reason) {
        end.abort(reason);
      },
    },
    { highWaterMark: 0 },
  );
}
