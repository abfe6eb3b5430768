import type { LoaderFunctionArgs } from "@remix-run/node";
import { requestContext } from "~/front-door/context.server";
import { documentCsp } from "~/front-door/headers";
import { staticPage } from "~/shell/static-page.server";
import { stylesheetHash } from "~/shell/stylesheet.server";
import { redirectToConsent, hasConsent } from "~/visit/consent.server";
import { isSecureOrigin } from "~/visit/cookies.server";

/**
 * Answers what the front door rejected: a page without scripts (hydrating under another address would break it), or
 * JSON under the API. Opened directly, the address is unknown.
 */
export async function loader({ request }: LoaderFunctionArgs) {
  const { rejection } = requestContext();
  if (!rejection && !hasConsent(request)) return redirectToConsent(request);
  const { status, api } = rejection ?? { status: 404, api: false };
  if (api) return Response.json({}, { status });
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": documentCsp({ styleHashes: [stylesheetHash], https: isSecureOrigin() }),
  };
  return new Response(await staticPage(request, status), { status, headers });
}

export const action = loader;
