import type { LoaderFunctionArgs } from "@remix-run/node";
import { askForConsent, go } from "~/session/gate.server";
import { hasConsent } from "~/session/visitor.server";

/** "Other paths redirect to /" (specification §2). */
export function loader({ request }: LoaderFunctionArgs) {
  return hasConsent(request) ? go(request, "/home") : askForConsent(request);
}

export const action = loader;
