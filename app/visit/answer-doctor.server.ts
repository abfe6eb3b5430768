import { BUILD } from "~/platform/release.server";
import {
  DOCTOR_HEADER,
  isDoctorQuestion,
  type PortalDescription,
} from "~/platform/network/doctor-question.server";
import type { RequestContext } from "~/front-door/context.server";
import { readiness } from "./backend-client/readiness.server";
import { sessionSecrets } from "./flow.server";

/** The header that describes this portal to `portal doctor`; none for anybody else (S74). */
export async function answerToDoctor(
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
