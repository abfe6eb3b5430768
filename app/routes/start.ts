import type { LoaderFunctionArgs } from "@remix-run/node";
import { redirectToConsent, hasConsent } from "~/visit/consent.server";
import { redirectTo } from "~/visit/redirect.server";

/** `/` has no page of its own. */
export function loader({ request }: LoaderFunctionArgs) {
  return hasConsent(request) ? redirectTo(request, "/home") : redirectToConsent(request);
}

export const action = loader;
