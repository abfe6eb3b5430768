/** What the log has of an error. */
export interface LoggedError {
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
/** From the first quotation mark to the last: there libraries repeat what they were given. */
const QUOTED = /["'`].*["'`]/s;
const WORD = /^[\w.-]{1,100}$/;
const FRAME = /^ {4}at /;

/**
 * An error as the log may have it (S93). An error of a library carries what it was working on: PostgreSQL's the row
 * (`detail`), the query's part (`where`) and its parameters, `JSON.parse` the text itself. So nothing is taken over but
 * what is listed here, and what stands between quotation marks goes. What isn't an error says its type only.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
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

/** The stack without its first lines: they repeat the message. */
function framesOf({ stack = "", message }: Error): string {
  const from = stack.indexOf(message);
  return stack
    .slice(from === -1 ? 0 : from + message.length)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .join("\n");
}
