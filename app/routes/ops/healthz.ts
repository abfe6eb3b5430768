import type { RequestContext, RouteArgs } from "~/server/front-door/context.server";
import { health } from "~/server/front-door/health.server";
import {
  DOCTOR_HEADER,
  isDoctorQuestion,
  type PortalDescription,
} from "~/platform/network/doctor-question.server";
import { BUILD } from "~/platform/release.server";
import { readOnlyFile } from "~/shell/read-only.server";
import { readiness } from "~/visit/backend-client/readiness.server";
import { sessionSecrets } from "~/visit/flow.server";

/**
 * Whether the process is alive. Checks nothing else: a database that is down is no reason to restart the process. The
 * listener answers before the app does (`answerAlive`), unless `portal doctor` asks.
 */
export async function loader({ request, context }: RouteArgs) {
  const { status, type, body } = health();
  const described = await answerToDoctor(request, context.incoming);
  return new Response(body, { status, headers: { "Content-Type": type, ...described } });
}

/** The header that describes this portal to `portal doctor`; other clients get none (S74). */
async function answerToDoctor(
  request: Request,
  { isForwarded, clientAddress }: RequestContext,
): Promise<Readonly<Record<string, string>>> {
  if (!isDoctorQuestion(request.headers.get(DOCTOR_HEADER), sessionSecrets(), Date.now())) return {};
  const described: PortalDescription = {
    build: BUILD,
    readiness: await readiness(),
    isForwarded,
    clientAddress,
  };
  return { [DOCTOR_HEADER]: JSON.stringify(described) };
}

export const action = readOnlyFile;
