/** What the log keeps of an error. */
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
/** From the first quotation mark to the last: libraries quote their input there. */
const QUOTED = /["'`].*["'`]/s;
const WORD = /^[\w.-]{1,100}$/;
const FRAME = /^ {4}at /;

/**
 * An error as the log may keep it (S93). Library errors carry the data they were working on: PostgreSQL's the row
 * (`detail`), a part of the query (`where`) and its parameters; `JSON.parse`'s the text itself. So only what is listed
 * here is kept, and anything between quotation marks is cut. Of a thrown value that isn't an Error, only the type is
 * kept.
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

/** The stack without its first lines, which repeat the message. */
function framesOf({ stack = "", message }: Error): string {
  const from = stack.indexOf(message);
  return stack
    .slice(from === -1 ? 0 : from + message.length)
    .split("\n")
    .filter((line) => FRAME.test(line))
    .join("\n");
}
