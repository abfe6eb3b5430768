import type { ServerResponse } from "node:http";

/** Makes a signal that is aborted when a response is over: sent, or given up because the client has left. */
export function leftSignal(response: ServerResponse): AbortSignal {
  const left = new AbortController();
  const leave = () => {
    left.abort(new Error("the client has left"));
  };
  if (response.destroyed) leave();
  else response.once("close", leave);
  return left.signal;
}
