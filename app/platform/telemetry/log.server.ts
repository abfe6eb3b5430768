import pino, { type DestinationStream } from "pino";
import { environment } from "../config/environment.server";
import { describeError } from "./logged-error.server";

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
  /** The name of something that lives as long as the process. */
  "thing",
  /** A message's row in the queue. */
  "sms",
  "gateway",
  "tries",
  "count",
  "most",
  "budget",
] as const;
const LONGEST_WORD = 200;

type Fact = string | number | boolean | null | undefined;
/** The facts of one line. An error is reduced to what `describeError` lets through. */
type Facts = { readonly [Name in (typeof FACTS)[number]]?: Fact } & { readonly err?: unknown };
type Write = (facts: Facts, happened: string) => void;

/** The portal's log: JSON lines on stderr, one per event. */
export interface Log {
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
}

let root: Log | undefined;

/** The log of this process. Synchronous, so the last line before an exit isn't lost. */
export function log(): Log {
  root ??= makeLog(environment().LOG_LEVEL, pino.destination({ fd: 2, sync: true }));
  return root;
}

/** A log that writes elsewhere, for callers that read it themselves. */
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
  for (const name of FACTS) {
    const value = given[name];
    if (typeof value === "string") told[name] = value.slice(0, LONGEST_WORD);
    else if (typeof value === "number" || typeof value === "boolean") told[name] = value;
  }
  if (given["err"] !== undefined) told["err"] = given["err"];
  return told;
}
