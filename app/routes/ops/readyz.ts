import { readiness } from "~/visit/backend-client/readiness.server";
import { readOnly } from "~/shell/read-only.server";

/** Whether customers may be sent here: 200, or 503 with the word for what is missing, and nothing more (S74). */
export async function loader() {
  const found = await readiness();
  const isReady = found === "ready";
  return new Response(isReady ? "ok\n" : `not ready: ${found}\n`, {
    status: isReady ? 200 : 503,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

export const action = readOnly();
