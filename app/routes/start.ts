import type { LoaderFunctionArgs } from "@remix-run/node";
import { askForConsent, go } from "~/session/gate.server";
import { hasConsent } from "~/session/visitor.server";

/** `/` is not a page of its own. */
export function loader({ request }: LoaderFunctionArgs) {
  return hasConsent(request) ? go(request, "/home") : askForConsent(request);
}

export const action = loader;
