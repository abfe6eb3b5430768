import { statfs } from "node:fs/promises";
import { CALLS } from "~/contract/calls.server";
import { environment } from "~/platform/config/environment.server";
import { isStopping, withTimeout } from "~/platform/lifecycle/process.server";
import { levels } from "~/platform/telemetry/metrics.server";
import { maintenanceUntil } from "~/server/front-door/context.server";
import { attachedSend, backendForApi } from "./backend-client.server";

/** Whether the portal can serve customers, and if not, why. */
type Readiness = "ready" | "stopping" | "database" | "backend";

let known: { readonly at: number; readonly readiness: Readiness } | undefined;
let asking: Promise<boolean> | undefined;

/**
 * Whether this process can serve customers. It can't while it is stopping. An embedded backend is ready if the database
 * answers in time, accepts writes, and has the tables that this version needs. An attached backend is ready if it
 * answers in time with a status below 500.
 *
 * The result is reused for `READY_FRESH_MS`, and only one check runs at a time, however many callers wait and however
 * long it hangs.
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

/** Asks who is signed in, without a cookie: the cheapest call, and it creates no session (401). */
async function backendAnswers(): Promise<boolean> {
  const { method, path } = CALLS.userInfo;
  try {
    const answer = await attachedSend()?.({ method, path, headers: {}, body: "" });
    return answer !== undefined && answer.status < 500;
  } catch {
    return false;
  }
}

/** 1 when /readyz would answer 200. */
const ready = levels({
  ready: { name: "portal_ready", help: "Whether the process is ready: 1 or 0" },
});
/** Silences the alarm for failed requests during maintenance. */
const planned = levels({
  maintenance: { name: "portal_maintenance", help: "Whether the portal is closed for maintenance: 1 or 0" },
});
const disk = levels({
  freeBytes: { name: "portal_data_free_bytes", help: "Free space where DATA_DIR is" },
});

/**
 * Connects the gauges of the process: whether it is ready, whether it is closed for maintenance, and the free space on
 * its disk if it stores anything there.
 */
export function connectGauges(): void {
  ready.feed(async () => ({ ready: (await readiness()) === "ready" ? 1 : 0 }));
  planned.feed(() => Promise.resolve({ maintenance: maintenanceUntil(Date.now()) === undefined ? 0 : 1 }));
  const { BACKEND_URL, DATABASE_URL, DATA_DIR } = environment();
  if (BACKEND_URL !== undefined || DATABASE_URL !== undefined) return;
  disk.feed(async () => {
    const { bavail, bsize } = await statfs(DATA_DIR);
    return { freeBytes: bavail * bsize };
  });
}
