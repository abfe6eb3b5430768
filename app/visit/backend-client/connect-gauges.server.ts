import { statfs } from "node:fs/promises";
import { environment } from "~/platform/environment.server";
import { metrics } from "~/platform/metrics.server";
import { readiness } from "./readiness.server";

/**
 * Says where the metrics of the whole process are looked up: whether it is ready, and the room that is left on its disk,
 * where it keeps anything there.
 */
export function connectGauges(): void {
  const { disk, ready } = metrics();
  ready.feed(async () => ({ ready: (await readiness()) === "ready" ? 1 : 0 }));
  const { BACKEND_URL, DATABASE_URL, DATA_DIR } = environment();
  if (BACKEND_URL !== undefined || DATABASE_URL !== undefined) return;
  disk.feed(async () => {
    const { bavail, bsize } = await statfs(DATA_DIR);
    return { freeBytes: bavail * bsize };
  });
}
