import type { Answer } from "~/contract/answer";
import { CALLS, onlyAsks, type CallName, type CallRequest, type CallResponse } from "~/contract/calls.server";
import { jsonIn, type AnswerMessage, type CallMessage } from "~/contract/messages.server";
import { decodePdf, PDF, pdfFile } from "~/contract/pdf-file.server";
import { decodeRefusal } from "~/contract/refusal.server";
import { counter, timer } from "~/platform/telemetry/metric-kinds.server";
import type { CookieJar } from "./cookie-jar";

/** The visitor's request on whose behalf calls are made. */
interface OriginatingRequest {
  readonly jar: CookieJar;
  readonly clientAddress: string;
  readonly requestId: string;
  /** When its head arrived, in ms since 1970. */
  readonly receivedAt: number;
  /** What the visitor's device is called. */
  readonly deviceName: () => Promise<string>;
}

/** Makes the calls of one request to the backend. */
export interface BackendClient {
  /**
   * Makes a call and returns its outcome. Never throws.
   * @param left makes a signal that is aborted when the visitor has left, for what is not worth finishing then
   */
  call<Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
    left?: () => AbortSignal,
  ): Promise<Answer<CallResponse<Name>>>;
}

/** Sends a call to the backend, wherever it is. */
export type Send = (call: CallMessage) => Promise<AnswerMessage>;

/** A document that is late is being made: the same link works a little later (contract: customer area). */
const LATE = { kind: "unavailable", retryAfterSeconds: 5 } as const;

const MS_IN_SECOND = 1000;
/** Metric labels of the outcomes; dashboards rely on them. */
const RESULTS = {
  done: "done",
  refused: "refused",
  invalid: "invalid",
  "rate-limited": "wait",
  busy: "wait",
  unavailable: "wait",
  "signed-out": "unauthenticated",
  "not-activated": "not-activated",
  "not-found": "refused",
  failed: "failed",
} as const satisfies Record<Answer<unknown>["kind"], string>;
/** Up to ten seconds: most calls take milliseconds, a sign-in under load seconds. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const calls = counter(
  { name: "portal_backend_calls_total", help: "Calls of the portal to its backend, by result" },
  { result: [...new Set(Object.values(RESULTS)), "unreachable"] },
);
const callSeconds = timer(
  {
    name: "portal_backend_call_duration_seconds",
    help: "Duration of the portal's calls to its backend",
    buckets: SECONDS,
  },
  {},
);

/** Segments that a URL parser doesn't take as names (WHATWG URL, "single-dot" and "double-dot path segment"). */
const NO_SEGMENT = /^\.{0,2}$/;

/** A client that makes the contract's calls through `send`, for one visitor's request. */
export function backendClient(
  send: Send,
  caller: OriginatingRequest,
  report: (error: unknown) => void,
): BackendClient {
  let lookedUp = new Map<unknown, unknown>();
  return {
    async call(name, payload, left) {
      const startedAt = performance.now();
      try {
        const deviceName = await caller.deviceName();
        const isRead = onlyAsks(name);
        // After a write, the session may be another one.
        if (!isRead) lookedUp = new Map();
        const message = await send({
          ...callFor(name, payload, caller, deviceName),
          ...(isRead && { lookedUp }),
          ...(left && { left }),
        });
        caller.jar.apply(message);
        const answer = readAnswer(name, message);
        if (answer.kind === "failed") report(new Error(`The backend answered ${message.status} to ${name}`));
        calls.inc({ result: RESULTS[answer.kind] });
        return answer;
      } catch (error) {
        // A document that nobody waits for any more was given up: no fault of the backend's.
        if (left?.().aborted !== true) report(error);
        calls.inc({ result: "unreachable" });
        return name === "document" && isTimeout(error) ? LATE : { kind: "failed" };
      } finally {
        callSeconds.observe({}, (performance.now() - startedAt) / MS_IN_SECOND);
      }
    },
  };
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}

function callFor<Name extends CallName>(
  name: Name,
  payload: CallRequest<Name>,
  caller: OriginatingRequest,
  deviceName: string,
): CallMessage {
  const { method, response } = CALLS[name];
  const { path, body } = placeFields(CALLS[name].path, payload);
  const cookies = caller.jar.header;
  const isRead = method === "GET" || method === "DELETE";
  const headers = {
    "x-forwarded-for": caller.clientAddress,
    "x-request-id": caller.requestId,
    "x-received-at": String(caller.receivedAt),
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
  const { method, response: schema, mayBeMissing } = CALLS[name];
  switch (message.status) {
    case 204:
      if (method !== "DELETE") return { kind: "failed" };
      return { kind: "done", value: schema.parse({}) as CallResponse<Name> };
    case 200: {
      const value: unknown = schema === pdfFile ? decodePdf(message) : jsonIn(message);
      return { kind: "done", value: schema.parse(value) as CallResponse<Name> };
    }
    default: {
      const refusal = decodeRefusal(message);
      return refusal && (refusal.kind !== "not-found" || mayBeMissing) ? refusal : { kind: "failed" };
    }
  }
}
