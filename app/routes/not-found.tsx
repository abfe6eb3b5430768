import type { LoaderFunctionArgs } from "@remix-run/node";
import { problem } from "~/shell/problem.server";
import { redirectToConsent, hasConsent, needsNoConsent } from "~/visit/consent.server";

/** Whatever is no address of ours. Consent comes first here, too. */
export async function loader({ request }: LoaderFunctionArgs) {
  if (!hasConsent(request) && !needsNoConsent(request)) return redirectToConsent(request);
  throw await problem(request, 404);
}

export const action = loader;

/** Never shown: the loader always answers otherwise. Its presence makes this a page, with the portal's surroundings. */
export default function NotFound() {
  return null;
}
