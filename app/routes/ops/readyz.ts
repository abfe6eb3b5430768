import { readOnlyFile } from "~/shell/read-only.server";
import { readiness } from "~/visit/backend-client/readiness.server";

/** Whether this process can take traffic: 200, or 503 and one word for what is missing, nothing more (S74). */
export async function loader() {
  const found = await readiness();
  const isReady = found === "ready";
  return new Response(isReady ? "ok\n" : `not ready: ${found}\n`, {
    status: isReady ? 200 : 503,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}

export const action = readOnlyFile;
