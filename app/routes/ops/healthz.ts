import { readOnlyFile } from "~/shell/read-only.server";

/** Whether the process is alive. Checks nothing else: a database that is down is no reason to restart the process. */
export function loader() {
  return new Response("ok\n", { headers: { "Content-Type": "text/plain; charset=utf-8" } });
}

export const action = readOnlyFile;
