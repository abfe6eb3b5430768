import { setTimeout } from "node:timers/promises";
import { CALLS, type CallName } from "~/contract/calls.server";
import type { AnswerMessage, CallMessage } from "~/contract/messages.server";
import { MOST_DEVICE_NAME, NOT_STORABLE } from "~/contract/rules";
import type { Log } from "~/platform/telemetry/log.server";
import type { Caller } from "../caller.server";
import { systemClock } from "../clock.server";
import { countEvent } from "../counted-events.server";
import { UNAVAILABLE, type Outcome } from "../outcome.server";
import type { Dependencies } from "../dependencies.server";
import { newToken } from "../secrets/keyed-hashes.server";
import { DatabaseUnavailable } from "../store/database-unavailable.server";
import { admit, admitInvalid, sessionFor } from "./access.server";
import { answer, answerTo } from "./answers.server";
import { readBody, type Body } from "./body.server";
import type { Cookies } from "./cookies.server";
import { HANDLERS } from "./handlers.server";
import { countInvalidConfirm } from "./invalid-confirms.server";
import { limitOpenConfirm } from "./open-confirms.server";
import { browserCookie, type Reply } from "./replies.server";
import { findRoute } from "./router.server";

/** A handler of any call, once payload and session have been checked. */
type AnyHandler = (
  deps: Dependencies,
  caller: Caller,
  payload: unknown,
  session: unknown,
) => Promise<Outcome<Reply>>;

const MS_SINCE_1970 = /^\d{13}$/;

/** What the calls name their one-time code. */
const CODE_FIELDS: ReadonlySet<string> = new Set(["authorizationCode", "authToken"]);

/** What says whose code it is. */
const OWNER_FIELDS: ReadonlySet<string> = new Set(["policyNo", "pid"]);

/** The path has a value that can't exist, such as a username with a NUL. */
const UNKNOWN_PATH = Symbol("unknown path");

/** Answers a call, whether it came over HTTP or from this process. */
export type Handle = (call: CallMessage) => Promise<AnswerMessage>;

/**
 * The backend as one function. It never throws: an unexpected error is logged and answered 500, an unavailable database
 * 503. The headers it trusts (`X-Forwarded-For`, `X-Request-Id`, `X-Received-At`, `X-Device-Name`) come from the
 * portal's front door, or from the portal itself.
 */
export function makeHandle(deps: Dependencies, cookies: Cookies, log: Log): Handle {
  return async (call) => {
    const { headers } = call;
    const sent = cookies.read(headers["cookie"]);
    const caller: Caller = {
      address: headers["x-forwarded-for"] ?? "unknown",
      requestId: headers["x-request-id"] ?? "",
      deviceName: deviceNameOf(headers["x-device-name"]),
      arrivedAt: arrivalOf(headers["x-received-at"], deps),
      browser: sent.browser ?? newToken(),
      session: sent.session,
      trustedDevice: sent["trusted-device"],
      left: call.left,
      audited: [],
    };
    const reply = await respond(deps, cookies, caller, call).catch((error: unknown) => {
      const isDown = error instanceof DatabaseUnavailable;
      log.error(
        { err: error, requestId: caller.requestId },
        isDown ? "database unavailable" : "backend failed",
      );
      return isDown ? answerTo(UNAVAILABLE) : answer(500, {});
    });
    for (const happened of caller.audited) {
      const { event, accountId, purpose } = happened;
      log.info({ event, accountId, purpose, requestId: caller.requestId }, "audit");
      countEvent(happened);
    }
    if (sent.browser !== undefined) return reply;
    return withCookies(reply, [cookies.line(browserCookie(deps.limits, caller))]);
  };
}

/**
 * When the head of a request arrived, on the stopwatch. `X-Received-At` has it in ms since 1970; without it, the answer
 * is now.
 */
function arrivalOf(receivedAt = "", { stopwatch }: Dependencies): number {
  const age = MS_SINCE_1970.test(receivedAt) ? systemClock() - Number(receivedAt) : 0;
  return stopwatch() - Math.max(0, age);
}

/** The device name; empty if it can't be decoded or stored. */
function deviceNameOf(sent = ""): string {
  try {
    const name = decodeURIComponent(sent);
    return NOT_STORABLE.test(name) ? "" : [...name].slice(0, MOST_DEVICE_NAME).join("");
  } catch {
    return "";
  }
}

async function respond(
  deps: Dependencies,
  cookies: Cookies,
  caller: Caller,
  call: CallMessage,
): Promise<AnswerMessage> {
  const route = findRoute(call.method, call.path);
  if (route.kind === "unknown-path") return answer(404, {});
  if (route.kind === "wrong-method") return answer(405, {}, { allow: route.allowed.join(", ") });

  const hasBody = call.method !== "GET" && call.method !== "DELETE";
  const body: Body = hasBody ? await readBody(call, deps.limits.API_BODY_BYTES) : { kind: "empty" };
  if (body.kind === "refused") return answer(body.status, {});

  const outcome = await answerCall(deps, caller, call, { ...route, body });
  if (outcome === UNKNOWN_PATH) return answer(404, {});
  // Clients that are refused at once try again at once, and then everybody's sign-in waits.
  if (outcome.kind === "rate-limited") await setTimeout(deps.limits.REFUSAL_HOLD_MS);
  const reply = answerTo(outcome);
  const lines = outcome.kind === "done" ? (outcome.value.cookies ?? []).map(cookies.line) : [];
  return withCookies(reply, lines);
}

function withCookies(reply: AnswerMessage, lines: readonly string[]): AnswerMessage {
  return { ...reply, setCookies: [...reply.setCookies, ...lines] };
}

/** Which call it is, and what came with it. */
interface ReadCall {
  readonly name: CallName;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Body;
}

async function answerCall(
  deps: Dependencies,
  caller: Caller,
  call: CallMessage,
  { name, parameters, body }: ReadCall,
): Promise<Outcome<Reply> | typeof UNKNOWN_PATH> {
  const { access, request } = CALLS[name];
  const payload = payloadOf(body, parameters);
  const read = request.safeParse(payload);
  const invalid = read.success
    ? []
    : [...new Set(read.error.issues.flatMap((issue) => issue.path.slice(0, 1).map(String)))];
  if (invalid.some((field) => field in parameters)) return UNKNOWN_PATH;

  const session = await sessionFor(access, deps, caller, call);
  const isUnfinished = invalid.some(
    (field) => CODE_FIELDS.has(field) || (OWNER_FIELDS.has(field) && isEmpty(payload?.[field])),
  );
  const tooMany = !isUnfinished && (await limitOpenConfirm(deps, caller, name, parameters, session));
  if (tooMany) return tooMany;
  if (read.success) {
    const admitted = admit(access, session);
    if (admitted.kind !== "done") return admitted;
    // The payload has passed this call's schema, and the session its access check.
    const handler = HANDLERS[name] as AnyHandler;
    return handler(deps, caller, read.data, admitted.value);
  }
  // A caller who may not make the call learns only that, not what is wrong with the payload.
  const admitted = admitInvalid(access, session);
  if (admitted.kind !== "done") return admitted;
  // What can't be a code, or belongs to nobody, is compared with nothing, so it counts nowhere (S118).
  if (isUnfinished) return { kind: "invalid", fields: invalid };
  // Only valid fields are used to find the code: an invalid one identifies nobody, and may not fit in the database.
  const valid = Object.entries(payload ?? parameters).filter(([field]) => !invalid.includes(field));
  const blocked = await countInvalidConfirm(deps, caller, name, Object.fromEntries(valid), session);
  return blocked ?? { kind: "invalid", fields: invalid };
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

/** An empty body counts as `{}`, so that missing fields are reported. The body can't override the path. */
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
