import { statfs } from "node:fs/promises";
import { environment } from "~/platform/config/environment.server";
import { levels } from "~/platform/telemetry/metric-kinds.server";
import { readiness } from "./readiness.server";

/** 1 when /readyz would answer 200. */
const ready = levels({
  ready: { name: "portal_ready", help: "Whether the process is ready: 1 or 0" },
});
const disk = levels({
  freeBytes: { name: "portal_data_free_bytes", help: "Free space where DATA_DIR is" },
});

/**
 * Connects the gauges of the process: whether it is ready, and the free space on its disk if it stores anything there.
 */
export function connectGauges(): void {
  ready.feed(async () => ({ ready: (await readiness()) === "ready" ? 1 : 0 }));
  const { BACKEND_URL, DATABASE_URL, DATA_DIR } = environment();
  if (BACKEND_URL !== undefined || DATABASE_URL !== undefined) return;
  disk.feed(async () => {
    const { bavail, bsize } = await statfs(DATA_DIR);
    return { freeBytes: bavail * bsize };
  });
}
