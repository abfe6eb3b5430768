import pino, { type DestinationStream } from "pino";
import { environment } from "../config/environment.server";
import { errorOutput } from "./error-output.server";

/** The parts of an error that are logged. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly code?: string;
  readonly constraint?: string;
  readonly table?: string;
  readonly column?: string;
  readonly stack?: string;
  readonly cause?: LoggedError;
}

const DEEPEST_CAUSE = 3;
const LONGEST_MESSAGE = 300;
/** Matches from the first quotation mark to the last: libraries quote their input in messages. */
const QUOTED = /["'`].*["'`]/s;
const WORD = /^[\w.-]{1,100}$/;
const FRAME = /^ {4}at /;

/**
 * Reduces an error to what the log may keep (S93). Library errors carry the data that they were working on: errors of
 * PostgreSQL carry the row (`detail`), a part of the query (`where`) and its parameters; errors of `JSON.parse` carry the
 * text itself. So we keep only the parts of `LoggedError`, and cut anything between quotation marks. Of a thrown value
 * that isn't an Error, we keep only the type.
 */
function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: "" };
  const message = error instanceof SyntaxError ? "" : error.message;
  const described: Record<string, unknown> = {
    type: error.constructor.name,
    message: message.replace(QUOTED, "…").slice(0, LONGEST_MESSAGE),
  };
  for (const name of ["code", "constraint", "table", "column"] as const) {
    const value = name in error ? (error as unknown as Record<string, unknown>)[name] : undefined;
    if (typeof value === "string" && WORD.test(value)) described[name] = value;
  }
  const stack = framesOf(error);
  if (stack !== "") described["stack"] = stack;
  if (error.cause !== undefined && depth < DEEPEST_CAUSE)
    described["cause"] = describeError(error.cause, depth + 1);
  return described as unknown as LoggedError;
}

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack = "", message }: Error): string {
  const from = stack.indexOf(message);
  return stack
    .slice(from === -1 ? 0 : from + message.length)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .join("\n");
}

/**
 * The facts that a line may hold: only the portal's own words and numbers. Anything else is dropped, so no body,
 * header, form value or query can get into the log by mistake (S93).
 */
const FACTS = [
  /** The reference number that customers read out on the phone. */
  "requestId",
  "clientAddress",
  /** A pattern from app/routes.ts, because an address may contain a name. */
  "route",
  "method",
  "status",
  "ms",
  "event",
  "accountId",
  "purpose",
  "reason",
  /** The name of a resource that `keepAlive` closes when the process ends. */
  "thing",
  /** The id of a message's row in the queue. */
  "sms",
  "mail",
  "gateway",
  "tries",
  "count",
  "most",
  "budget",
  /** The running release: logged once, when the process starts. */
  "version",
  "build",
  "mode",
  "outdated",
  /** The origin at which the portal accepts connections. */
  "listensOn",
  /** The name of a call of the contract. */
  "call",
] as const;
const LONGEST_WORD = 200;

type Fact = string | number | boolean | null | undefined;
/** The facts of one line. `err` is logged as `describeError` returns it. */
type Facts = { readonly [Name in (typeof FACTS)[number]]?: Fact } & { readonly err?: unknown };
type Write = (facts: Facts, message: string) => void;

/** The portal's log: JSON lines on stderr, one per event. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

let processLog: Log | undefined;

/** The log of this process. */
export function log(): Log {
  processLog ??= makeLog(environment().LOG_LEVEL, errorOutput());
  return processLog;
}

/** A log with a destination of its own, for callers that read its lines themselves. */
export function makeLog(level: string, destination: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), log: allowedFacts },
      serializers: { err: (error: unknown) => describeError(error) },
    },
    destination,
  );
}

function allowedFacts(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const allowed: Record<string, unknown> = {};
  for (const name of FACTS) {
    const value = given[name];
    if (typeof value === "string") allowed[name] = value.slice(0, LONGEST_WORD);
    else if (typeof value === "number" || typeof value === "boolean") allowed[name] = value;
  }
  if (given["err"] !== undefined) allowed["err"] = given["err"];
  return allowed;
}
