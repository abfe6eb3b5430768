import type { RequestContext } from "~/front-door/context.server";
import { log } from "~/platform/telemetry/log.server";

/** Logs an error that nothing has made an answer of. */
export function reportFailure({ requestId }: RequestContext, error: unknown): void {
  log().error({ requestId, err: error }, "unexpected failure");
}
