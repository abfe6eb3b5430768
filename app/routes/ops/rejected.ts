import type { LoaderFunctionArgs } from "@remix-run/node";
import { reloadForEarlierPage } from "~/front-door/decide";
import { problemResponse } from "~/shell/static-page.server";
import { redirectToConsent, hasConsent } from "~/visit/browser.server";

/**
 * Answers what the front door rejected: with a page, or JSON under the API. Opened directly, the address is unknown.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const { rejection } = context.incoming;
  if (!rejection && !hasConsent(request)) return redirectToConsent(request);
  if (rejection?.earlierPage) return reloadForEarlierPage(rejection.earlierPage);
  const { status, api } = rejection ?? { status: 404, api: false };
  if (api) return Response.json({}, { status });
  return problemResponse(args, status);
}

export const action = loader;
