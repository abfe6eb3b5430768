import { log } from "~/platform/telemetry/log.server";
import { counter } from "~/platform/telemetry/metric-kinds.server";
import type { RejectionNotice } from "./policy";
import { REJECTION_REASONS } from "./rejection";

const rejections = counter(
  { name: "portal_http_refusals_total", help: "Requests refused by the front door, by reason" },
  { reason: REJECTION_REASONS },
);

/** Logs and counts a request that the front door rejected. */
export function recordRejection(rejection: RejectionNotice): void {
  log().info({ ...rejection }, "request refused");
  rejections.inc({ reason: rejection.reason });
}
