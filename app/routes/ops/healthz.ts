import { readOnly } from "~/shell/read-only.server";

/** Whether the process is alive. It asks nobody: a database that is down is no reason to start the process anew. */
export function loader() {
  return new Response("ok\n", { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

export const action = readOnly();
