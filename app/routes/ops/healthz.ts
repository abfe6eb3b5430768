import { health } from "~/front-door/answer.server";
import { readOnlyFile } from "~/shell/read-only.server";

/**
 * Whether the process is alive. Checks nothing else: a database that is down is no reason to restart the process. The
 * listener usually answers before the app does (`answerAlive`).
 */
export function loader() {
  const { status, type, body } = health();
  return new Response(body, { status, headers: { "Content-Type": type } });
}

export const action = readOnlyFile;
