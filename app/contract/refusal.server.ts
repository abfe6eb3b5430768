import { z } from "zod";
import { type CatalogueCode, rowOf } from "./errors";
import { type AnswerMessage, jsonIn, type MessageHeaders } from "./messages.server";

/** A call that succeeded. */
export interface Done<Value> {
  readonly kind: "done";
  readonly value: Value;
}

/** A call that failed: no answer, an unreadable one, or a 5xx. */
interface Failed {
  readonly kind: "failed";
}

/** The outcome of a call, as the portal sees it. It is never thrown. */
export type Answer<Value> = Done<Value> | Refusal | Failed;

/**
 * Why a call was refused. It is the same on both sides: services return it, and the portal's screens get it. Each kind
 * has one status in the backend contract.
 */
export type Refusal =
  /**
   * A row of the error catalogue. A timed lock (106) and a limit (015) say when they end. A wrong password (101) may say
   * how many more lock the account, and a wrong passkey (007) that it is unknown for good.
   */
  | {
      readonly kind: "refused";
      readonly errorCode: string;
      readonly retryAfterSeconds?: number;
      readonly triesLeft?: number;
      readonly unknown?: true;
    }
  /** These fields break the call's schema, or a rule of specification §5. */
  | { readonly kind: "invalid"; readonly fields: readonly string[] }
  | Wait
  | SessionRefusal
  | Missing;

/** Too many tries, too much work at once, or a database that can't be used now: the same call may succeed later. */
export interface Wait {
  readonly kind: "rate-limited" | "busy" | "unavailable";
  readonly retryAfterSeconds: number;
}

/** The session does not allow the call: there is none, it still needs its code, or the call is for signed-out visitors. */
interface SessionRefusal {
  readonly kind: "signed-out" | "not-activated";
}

/** It doesn't exist, belongs to another customer, or the backend doesn't offer it: no caller can tell which. */
interface Missing {
  readonly kind: "not-found";
}

/** The refusals that a form can show. The others lead to another screen. */
export type FormRefusal = Exclude<Refusal, SessionRefusal | Missing>;

/** The status of each refusal. */
export const REFUSAL_STATUS = {
  refused: 400,
  "signed-out": 401,
  "not-found": 404,
  "not-activated": 409,
  invalid: 422,
  "rate-limited": 429,
  busy: 503,
  unavailable: 503,
} as const satisfies Record<Refusal["kind"], number>;

/** Whether a refusal only says how long to wait. */
export function isWait(outcome: { readonly kind: string }): outcome is Wait {
  return outcome.kind === "rate-limited" || outcome.kind === "busy" || outcome.kind === "unavailable";
}

/** The status of a refusal that only says how long to wait, and the header that tells programs (RFC 9110 §10.2.3). */
export function waitHead({ kind, retryAfterSeconds }: Wait) {
  return {
    status: REFUSAL_STATUS[kind],
    headers: { "retry-after": String(Math.ceil(retryAfterSeconds)) },
  };
}

/** Whether an outcome says that the account is barred: locked, expired or disabled (specification §8). */
export function isBarred(outcome: { readonly kind: string; readonly errorCode?: string }): boolean {
  if (outcome.kind !== "refused") return false;
  const row = rowOf(outcome.errorCode ?? "");
  return row !== undefined && "isBarred" in row;
}

const DEFAULT_WAIT_SECONDS = 60;
const DAY_SECONDS = 24 * 60 * 60;
/** No refusal asks for a wait of more than a day, except that of another change of the username (015). */
const LONGEST_WAIT_SECONDS = DAY_SECONDS;
const LONGEST_LIMIT_SECONDS = 366 * DAY_SECONDS;

const seconds = z
  .number()
  .nonnegative()
  .transform((value) => Math.min(Math.ceil(value), LONGEST_LIMIT_SECONDS));

function atMostADay(wait: number): number {
  return Math.min(wait, LONGEST_WAIT_SECONDS);
}

/** The JSON body of a refusal. A session refusal's body is never read. */
const refusalBody = z.object({
  errorCode: z.string().min(1).max(40),
  retryAfterSeconds: seconds.optional(),
  triesLeft: z.int().nonnegative().optional().catch(undefined),
  unknown: z.literal(true).optional().catch(undefined),
  fields: z.array(z.string()).readonly().optional(),
});
type RefusalBody = z.input<typeof refusalBody>;

/** A refusal as it travels. */
interface EncodedRefusal {
  readonly status: number;
  readonly body: RefusalBody | Readonly<Record<string, never>>;
  readonly headers: MessageHeaders;
}

/** Writes a refusal as the backend contract prescribes. */
export function encodeRefusal(refusal: Refusal): EncodedRefusal {
  const status = REFUSAL_STATUS[refusal.kind];
  switch (refusal.kind) {
    case "refused": {
      const { kind: _kind, ...body } = refusal;
      return { status, body, headers: {} };
    }
    case "signed-out":
    case "not-found":
    case "not-activated":
      return { status, body: {}, headers: {} };
    case "invalid":
      return { status, body: { errorCode: refusal.kind, fields: refusal.fields }, headers: {} };
    case "rate-limited":
    case "busy":
    case "unavailable": {
      const { kind, retryAfterSeconds } = refusal;
      return { ...waitHead(refusal), body: { errorCode: kind, retryAfterSeconds } };
    }
  }
}

/**
 * Reads what `encodeRefusal` writes, leniently, because other backends write it, too. Returns undefined if the status
 * is not that of a refusal.
 * @throws Error when the body is not that of a refusal
 */
export function decodeRefusal(answer: AnswerMessage): Refusal | undefined {
  switch (answer.status) {
    case REFUSAL_STATUS.refused: {
      const { errorCode, retryAfterSeconds, triesLeft, unknown } = readBody(answer);
      return {
        kind: "refused",
        errorCode,
        ...(retryAfterSeconds !== undefined && {
          retryAfterSeconds: errorCode === "015" ? retryAfterSeconds : atMostADay(retryAfterSeconds),
        }),
        ...(triesLeft !== undefined && { triesLeft }),
        ...(unknown && { unknown }),
      };
    }
    case REFUSAL_STATUS["signed-out"]:
      return { kind: "signed-out" };
    case REFUSAL_STATUS["not-found"]:
      return { kind: "not-found" };
    case REFUSAL_STATUS["not-activated"]:
      return { kind: "not-activated" };
    case REFUSAL_STATUS.invalid:
      return { kind: "invalid", fields: readBody(answer).fields ?? [] };
    case REFUSAL_STATUS["rate-limited"]:
      return { kind: "rate-limited", retryAfterSeconds: readWait(answer).retryAfterSeconds };
    case REFUSAL_STATUS.busy: {
      const { errorCode, retryAfterSeconds } = readWait(answer);
      return { kind: errorCode === "unavailable" ? errorCode : "busy", retryAfterSeconds };
    }
    default:
      return undefined;
  }
}

function readBody(answer: AnswerMessage) {
  return refusalBody.parse(jsonIn(answer));
}

/** The reason for a wait, and its length: from the body, or else from `Retry-After` in seconds (RFC 9110 §10.2.3). */
function readWait(answer: AnswerMessage): { errorCode: string; retryAfterSeconds: number } {
  const { errorCode, retryAfterSeconds } = readBody(answer);
  if (retryAfterSeconds !== undefined) return { errorCode, retryAfterSeconds: atMostADay(retryAfterSeconds) };
  const header = answer.headers["retry-after"] ?? "";
  const inHeader = seconds.safeParse(/^\d+$/.test(header) ? Number(header) : undefined).data;
  return { errorCode, retryAfterSeconds: atMostADay(inHeader ?? DEFAULT_WAIT_SECONDS) };
}

/** The result of a call. Everything that a caller may learn is a value; exceptions are for faults. */
export type Outcome<Value> = Done<Value> | Refusal;

/** Seconds after which a caller may try again if the backend was overloaded (backend contract). */
const BUSY_SECONDS = 2;
/** The same for an unavailable database; nginx sends the same number when no portal answers. */
const UNAVAILABLE_SECONDS = 5;

/** Success with this value. */
export function done<Value>(value: Value): Done<Value> {
  return { kind: "done", value };
}

/** Refuses with a row of the error catalogue; a timed lock and a limit say when they end. */
export function refused(errorCode: CatalogueCode, retryAfterSeconds?: number): Refusal {
  return { kind: "refused", errorCode, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** Refuses a field that breaks a rule. Such a refusal uses nothing up. */
export const invalid = (field: string): Refusal => ({ kind: "invalid", fields: [field] });

/** Refuses a call that needs a session. */
export const SIGNED_OUT: Refusal = { kind: "signed-out" };
/** Refuses a session that still needs its code; a sign-in by passkey refuses one that doesn't. */
export const NOT_ACTIVATED: Refusal = { kind: "not-activated" };
/** Refuses a call for something that doesn't exist or belongs to another customer. */
export const NOT_FOUND: Refusal = { kind: "not-found" };
/** Refuses a call because the server is overloaded. */
export const TOO_BUSY: Refusal = { kind: "busy", retryAfterSeconds: BUSY_SECONDS };
/** Refuses a call because the database can't be used now. */
export const UNAVAILABLE: Refusal = { kind: "unavailable", retryAfterSeconds: UNAVAILABLE_SECONDS };
