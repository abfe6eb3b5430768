import { CALLS } from "~/contract/calls.server";
import { environment } from "~/platform/config/environment.server";
import { isStopping } from "~/platform/lifecycle/process.server";
import { withTimeout } from "~/platform/lifecycle/with-timeout.server";
import { backendForApi } from "./embedded.server";
import { sendToBackend } from "./send-to-backend.server";

/** Whether customers can be answered, and if not, what is missing. */
export type Readiness = "ready" | "stopping" | "database" | "backend";

let known: { readonly at: number; readonly readiness: Readiness } | undefined;
let asking: Promise<boolean> | undefined;

/**
 * Whether this process can answer customers. With the embedded backend it can when the database answers and its
 * migrations are current; with another backend when that one answers at all. The answer is
 * good for a second, and one question is asked at a time, however many want to know and however long it hangs.
 */
export async function readiness(): Promise<Readiness> {
  if (isStopping()) return "stopping";
  const { BACKEND_URL, limits } = environment();
  if (known && performance.now() - known.at < limits.READY_FRESH_MS) return known.readiness;
  const needed = BACKEND_URL === undefined ? "database" : "backend";
  asking ??= (needed === "database" ? databaseAnswers() : backendAnswers()).finally(() => {
    asking = undefined;
  });
  const answers = await withTimeout(limits.READY_MS, asking);
  known = { at: performance.now(), readiness: answers === true ? "ready" : needed };
  return known.readiness;
}

async function databaseAnswers(): Promise<boolean> {
  const embedded = await backendForApi();
  return (await embedded?.ready()) === true;
}

/** Asks who is signed in, without a cookie: the cheapest call there is, and no session comes of it (401). */
async function backendAnswers(): Promise<boolean> {
  const { method, path } = CALLS.userInfo;
  try {
    const { status } = await sendToBackend(new Request(`http://backend.invalid${path}`, { method }));
    return status < 500;
  } catch {
    return false;
  }
}
