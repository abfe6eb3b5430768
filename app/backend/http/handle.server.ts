import { CALLS, type Access, type CallName } from "~/contract/calls.server";
import type { Log } from "~/platform/log.server";
import type { Caller } from "../caller.server";
import { countEvent } from "../counted-events.server";
import { HANDLERS, type Handler } from "../handlers/handlers.server";
import { countInvalidConfirm } from "../handlers/invalid-confirms.server";
import { NOT_ACTIVATED, SIGNED_OUT, TOO_BUSY, type Outcome, type Refused } from "../outcome.server";
import type { Parts } from "../parts.server";
import { newToken } from "../secrets/keyed-hashes.server";
import { findSession } from "../services/sign-in/sessions.server";
import { DatabaseUnavailable } from "../store/database-unavailable.server";
import { answer, answerTo, type Said } from "./answers.server";
import { readBody, type Body } from "./body.server";
import type { Cookies } from "./cookies.server";
import { findRoute } from "./router.server";

/** The path names something that there cannot be. */
const UNKNOWN_PATH = Symbol("unknown path");

/** A request answered, however it came in. */
export type Handle = (request: Request) => Promise<Response>;

/**
 * The backend as one function. It never throws: what nobody foresaw is logged, and answered 500; without its database
 * the answer is 503, and whatever was not committed did not happen. The headers that it
 * believes (`X-Forwarded-For`, `X-Request-Id`) are made by the portal's front door, or by the portal itself.
 */
export function makeHandle(parts: Parts, cookies: Cookies, log: Log): Handle {
  return async (request) => {
    const sent = cookies.read(request);
    const caller: Caller = {
      address: request.headers.get("X-Forwarded-For") ?? "unknown",
      requestId: request.headers.get("X-Request-Id") ?? "",
      browser: sent.browser ?? newToken(),
      session: sent.session,
      trustedDevice: sent["trusted-device"],
      audited: [],
    };
    const response = await respond(parts, cookies, caller, request).catch((error: unknown) => {
      const isDown = error instanceof DatabaseUnavailable;
      log.error(
        { err: error, requestId: caller.requestId },
        isDown ? "database unavailable" : "backend failed",
      );
      return isDown ? answerTo(TOO_BUSY) : answer(500, {});
    });
    for (const happened of caller.audited) {
      const { event, accountId, purpose } = happened;
      log.info({ event, accountId, purpose, requestId: caller.requestId }, "audit");
      countEvent(happened);
    }
    if (sent.browser === undefined) {
      response.headers.append("Set-Cookie", cookies.line({ name: "browser", value: caller.browser }));
    }
    return response;
  };
}

async function respond(parts: Parts, cookies: Cookies, caller: Caller, request: Request): Promise<Response> {
  const route = findRoute(request.method, new URL(request.url).pathname);
  if (route.kind === "unknown-path") return answer(404, {});
  if (route.kind === "wrong-method") return answer(405, {}, { Allow: route.allowed.join(", ") });

  const hasBody = request.method !== "GET" && request.method !== "DELETE";
  const body: Body = hasBody ? await readBody(request, parts.limits.API_BODY_BYTES) : { kind: "empty" };
  if (body.kind === "refused") return answer(body.status, {});

  const outcome = await answerCall(parts, caller, route.name, body, route.parameters);
  if (outcome === UNKNOWN_PATH) return answer(404, {});
  const response = answerTo(outcome);
  if (outcome.kind === "done") {
    for (const cookie of outcome.value.cookies ?? [])
      response.headers.append("Set-Cookie", cookies.line(cookie));
  }
  return response;
}

async function answerCall(
  parts: Parts,
  caller: Caller,
  name: CallName,
  body: Body,
  parameters: Readonly<Record<string, string>>,
): Promise<Outcome<Said> | typeof UNKNOWN_PATH> {
  const { access, request } = CALLS[name];
  const payload = payloadOf(body, parameters);
  const read = request.safeParse(payload);
  if (read.success) {
    const stopped = access === "open" ? await whyNotAllowed(parts, caller, access) : undefined;
    if (stopped) return stopped;
    // The payload was read by the schema of this very call.
    const handler = HANDLERS[name] as Handler<CallName>;
    return handler(parts, caller, read.data);
  }
  const fields = [...new Set(read.error.issues.flatMap((issue) => issue.path.slice(0, 1).map(String)))];
  if (fields.some((field) => field in parameters)) return UNKNOWN_PATH;
  const stopped = await whyNotAllowed(parts, caller, access);
  if (stopped) return stopped;
  // A field that is broken itself says nothing of anybody, and no database need be able to look for it.
  const whole = Object.entries(payload ?? parameters).filter(([field]) => !fields.includes(field));
  const stoppedBy = await countInvalidConfirm(parts, caller, name, Object.fromEntries(whole));
  return stoppedBy ?? { kind: "invalid", fields };
}

/** Who may not make a call at all learns that, and not what is wrong with its payload. */
async function whyNotAllowed(parts: Parts, caller: Caller, access: Access): Promise<Refused | undefined> {
  if (access === "always" || (access === "open" && caller.session === undefined)) return undefined;
  const session = await findSession(parts, caller);
  if (!session) return access === "open" ? undefined : SIGNED_OUT;
  return access !== "session" && session.state !== "active" ? NOT_ACTIVATED : undefined;
}

/** An empty body counts as `{}`; calls that need more then miss their fields. What the path says, the body can't. */
function payloadOf(
  body: Body,
  parameters: Readonly<Record<string, string>>,
): Record<string, unknown> | undefined {
  if (body.kind === "empty") return { ...parameters };
  const isObject =
    body.kind === "json" &&
    typeof body.value === "object" &&
    body.value !== null &&
    !Array.isArray(body.value);
  return isObject ? { ...body.value, ...parameters } : undefined;
}
