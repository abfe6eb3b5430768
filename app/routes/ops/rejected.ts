import type { LoaderFunctionArgs } from "@remix-run/node";
import { encodeRefusal, waitHead } from "~/contract/refusal.server";
import type { RequestContext } from "~/server/front-door/context.server";
import { momentInPoland } from "~/i18n/times.server";
import { secondsUntil } from "~/platform/time.server";
import { problemResponse } from "~/shell/static-page.server";
import { hasConsent, redirectToConsent, textsFor } from "~/visit/browser.server";

/**
 * Answers requests that the front door rejected, and requests while the portal is closed: with a page, or JSON under
 * the API. Opened directly, the address is unknown.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { request, context } = args;
  const { rejection, maintenance } = context.incoming;
  if (maintenance) return closedResponse(args, maintenance);
  if (!rejection && !hasConsent(request)) return redirectToConsent(request);
  const { status, api } = rejection ?? { status: 404, api: false };
  if (api) return Response.json({}, { status });
  return problemResponse(args, status);
}

export const action = loader;

/** Says until when the portal is closed and, after a write, that nothing was saved. */
async function closedResponse(
  args: LoaderFunctionArgs,
  { until, api, isWrite }: NonNullable<RequestContext["maintenance"]>,
): Promise<Response> {
  const retryAfterSeconds = secondsUntil(until, Date.now());
  const wait = { kind: "busy", retryAfterSeconds } as const;
  const head = waitHead(wait);
  if (api) return Response.json(encodeRefusal(wait).body, head);
  const t = await textsFor(args.request);
  const open = t("errors:maintenance.until", { until: momentInPoland(t, new Date(until).toISOString()) });
  const texts = {
    header: t("errors:maintenance.header"),
    text: isWrite ? `${open} ${t("errors:maintenance.notSaved")}` : open,
    isClosed: true,
  };
  return problemResponse(args, head.status, { headers: head.headers, texts });
}
