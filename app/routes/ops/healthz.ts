import { health } from "~/front-door/health.server";
import type { RouteArgs } from "~/front-door/context.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { answerToDoctor } from "~/visit/answer-doctor.server";

/**
 * Whether the process is alive. Checks nothing else: a database that is down is no reason to restart the process. The
 * listener answers before the app does (`answerAlive`), unless `portal doctor` asks.
 */
export async function loader({ request, context }: RouteArgs) {
  const { status, type, body } = health();
  const described = await answerToDoctor(request, context.incoming);
  return new Response(body, { status, headers: { "Content-Type": type, ...described } });
}

export const action = readOnlyFile;
