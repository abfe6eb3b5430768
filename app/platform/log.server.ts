import pino, { type Logger } from "pino";
import { environment } from "./environment.server";

/** The portal's log: JSON lines on stderr, one per event. Callers pass facts, never bodies, headers or form values (S93). */
export type Log = Logger;

let root: Log | undefined;

/** The log of this process. Synchronous, so that the last line before an exit is not lost. */
export function log(): Log {
  root ??= pino(
    {
      level: environment().LOG_LEVEL,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    pino.destination({ fd: 2, sync: true }),
  );
  return root;
}
