import { environment } from "~/platform/config/environment.server";
import type { Answer } from "~/contract/refusal.server";
import { type CallName, type CallRequest, type CallResponse, CALLS } from "~/contract/calls.server";
import type { RequestContext } from "~/front-door/context.server";
import { withTimeout } from "~/platform/lifecycle/process.server";
import { log } from "~/platform/telemetry/log.server";
import { counter, timer } from "~/platform/telemetry/metrics.server";
import { deviceName, expiredSessionLine } from "../browser.server";
import { AttachedClient, attachedBackend, type Send } from "./attached.server";
import type { BackendClient, Visiting } from "./client";
import { EmbeddedClient } from "./embedded.server";

/** The backend, for all loaders and actions of one request. Its calls never throw. */
export interface RequestBackend extends BackendClient {
  /** The name of the visitor's device, sent with every call. */
  readonly deviceName: () => Promise<string>;
  /** Ends the session. The browser's cookie is removed even if the backend fails or takes over a second. */
  readonly signOut: () => Promise<void>;
}

/**
 * The backend, called on behalf of this request's visitor.
 * @param send where calls go instead (the gallery)
 */
export function backendFor(request: Request, context: RequestContext, send?: Send): RequestBackend {
  let name: Promise<string> | undefined;
  const nameOnce = () => (name ??= deviceName(request));
  const cookies = request.headers.get("Cookie") ?? undefined;
  const client = clientFor({ cookies, host: new URL(request.url).host, context, deviceName: nameOnce }, send);
  return {
    call: (...call) => counted(client, context, ...call),
    hasSession: () => client.hasSession(),
    browser: () => client.browser(),
    deviceName: nameOnce,
    signOut: async () => {
      const ending = counted(client, context, "deleteSession", {});
      const ended = await withTimeout(environment().limits.SIGN_OUT_MS, ending);
      // If the backend ended the session but left its cookie, the cookie is removed too.
      if (ended?.kind !== "done" || client.hasSession()) context.setCookies.push(expiredSessionLine());
    },
  };
}

/**
 * Asks who makes a request that has no session. Cheap, because it needs nothing else that a page needs.
 * @param cookies the visitor's `Cookie` header
 */
export function askWithoutSession(
  cookies: string | undefined,
  context: RequestContext,
): Promise<Answer<CallResponse<"userInfo">>> {
  // Without a session nothing is stored, so the device needs no name.
  const client = clientFor({ cookies, context, deviceName: () => Promise.resolve("") });
  return counted(client, context, "userInfo", {});
}

let attached: Send | undefined;

/** How calls reach the attached backend; undefined if the backend is in this process. */
export function attachedSend(): Send | undefined {
  const { BACKEND_URL, PUBLIC_ORIGIN, limits } = environment();
  if (BACKEND_URL === undefined) return undefined;
  return (attached ??= attachedBackend({
    url: BACKEND_URL,
    https: PUBLIC_ORIGIN?.startsWith("https:") === true,
    timeoutMs: limits.BACKEND_MS,
    answerBytes: limits.BACKEND_ANSWER_BYTES,
    documentPauseMs: limits.DOCUMENT_PAUSE_MS,
  }));
}

function clientFor(visiting: Visiting, send = attachedSend()): BackendClient {
  return send ? new AttachedClient(visiting, send) : new EmbeddedClient(visiting);
}

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

/** Makes a call, counts it, and logs a failure. Never throws. */
async function counted<Name extends CallName>(
  client: BackendClient,
  { requestId }: RequestContext,
  name: Name,
  payload: CallRequest<Name>,
  left?: () => AbortSignal,
): Promise<Answer<CallResponse<Name>>> {
  const report = (err?: unknown) => {
    log().error({ requestId, call: name, err }, "backend call failed");
  };
  const startedAt = performance.now();
  try {
    const answered = await client.call(name, payload, left);
    // Only some calls may say that something isn't there.
    const answer =
      answered.kind === "not-found" && !CALLS[name].mayBeMissing ? ({ kind: "failed" } as const) : answered;
    // Without a stack: it would be that of this line, and the embedded backend has logged its own.
    if (answer.kind === "failed") report();
    calls.inc({ result: RESULTS[answer.kind] });
    return answer;
  } catch (error) {
    // If the visitor has left, the document was given up, and the backend did nothing wrong.
    if (left?.().aborted !== true) report(error);
    calls.inc({ result: "unreachable" });
    return name === "document" && isTimeout(error) ? LATE : { kind: "failed" };
  } finally {
    callSeconds.observe({}, (performance.now() - startedAt) / MS_IN_SECOND);
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof DOMException && error.name === "TimeoutError";
}
