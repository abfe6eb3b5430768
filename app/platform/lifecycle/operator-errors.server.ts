/** The backend refuses to start. The message says why, in one line for operators. */
export class StartRefusal extends Error {
  override readonly name = "StartRefusal";
}

/** A command was called wrongly, so nothing was changed. The message is for the operator, usually one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Why something failed: the first line of the error's message. Further lines may quote rows or be a stack. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return "unknown";
  const [reason = ""] = error.message.split("\n");
  return reason === "" ? error.name : reason;
}
