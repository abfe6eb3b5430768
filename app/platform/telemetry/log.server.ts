import pino, { type DestinationStream } from "pino";
import { environment } from "../config/environment.server";
import { describeError } from "./logged-error.server";

/**
 * What a line may tell: all of it are words and numbers of the portal's own. Whatever goes by another name is dropped,
 * so that no body, header, form value or query can get into the log by mistake (S93).
 */
const FACTS = [
  /** The reference number that people read out on the telephone. */
  "requestId",
  "clientAddress",
  /** A pattern of app/routes.ts; an address may have a name in it. */
  "route",
  "method",
  "status",
  "ms",
  "event",
  "accountId",
  "purpose",
  "reason",
  /** Something that lives as long as the process. */
  "thing",
  /** The row of a message in the queue. */
  "sms",
  "gateway",
  "tries",
  "count",
  "most",
] as const;
const LONGEST_WORD = 200;

type Fact = string | number | boolean | null | undefined;
/** The facts of one line. Of an error the log has what `describeError` lets through. */
export type Facts = { readonly [Name in (typeof FACTS)[number]]?: Fact } & { readonly err?: unknown };
type Write = (facts: Facts, happened: string) => void;

/** The portal's log: JSON lines on stderr, one per event. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

let currentRequestId: () => string | undefined = () => undefined;
let root: Log | undefined;

/** Says how the log learns which request a line belongs to; each such line has its id from then on. */
export function provideRequestId(current: () => string | undefined): void {
  currentRequestId = current;
}

/** The log of this process. Synchronous, so that the last line before an exit is not lost. */
export function log(): Log {
  root ??= makeLog(environment().LOG_LEVEL, pino.destination({ fd: 2, sync: true }));
  return root;
}

/** A log that writes elsewhere, for those who read it themselves. */
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
  const told: Record<string, unknown> = {};
  const requestId = currentRequestId();
  if (requestId !== undefined) told["requestId"] = requestId;
  for (const name of FACTS) {
    const value = given[name];
    if (typeof value === "string") told[name] = value.slice(0, LONGEST_WORD);
    else if (typeof value === "number" || typeof value === "boolean") told[name] = value;
  }
  if (given["err"] !== undefined) told["err"] = given["err"];
  return told;
}
