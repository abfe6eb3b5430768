import type { LoaderFunctionArgs } from "@remix-run/node";
import { hasConsent, redirectTo, redirectToConsent } from "~/visit/browser.server";

/** `/` has no page of its own, and "other paths redirect to /" (specification §2). */
export function loader({ request }: LoaderFunctionArgs) {
  return hasConsent(request) ? redirectTo(request, "/home") : redirectToConsent(request);
}

export const action = loader;
