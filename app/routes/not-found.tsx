import type { LoaderFunctionArgs } from "@remix-run/node";
import { problem } from "~/shell/problem";
import { redirectToConsent, hasConsent, needsNoConsent } from "~/visit/browser.server";

/** Any unknown address. Consent comes first here, too. */
export function loader({ request }: LoaderFunctionArgs) {
  if (!hasConsent(request) && !needsNoConsent(request)) return redirectToConsent(request);
  throw problem(404);
}

export const action = loader;

/** Never rendered, since the loader always throws or redirects. It makes this a page in the portal's layout. */
export default function NotFound() {
  return null;
}
