import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { RequestContext } from "./context.server";
import type { Pass, Rejection } from "./decision";
import type { FrontDoorRules } from "./policy";

/** Removes from a request what the app must not read. */
export function hideFromApp(
  request: IncomingMessage,
  { target, asStranger }: Pass,
  context: RequestContext,
): void {
  const { headers } = request;
  if (asStranger === true) delete headers.cookie;
  // Headers that an app might trust. Only the decision may read them. Without an Origin, Remix's own check, which
  // answers with a bare 500, never fires.
  delete headers.forwarded;
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  delete headers["x-real-ip"];
  delete headers.origin;
  // Our files are small and whole. Express would answer these with a 412 or 416 page of its own (S112).
  delete headers.range;
  delete headers["if-range"];
  delete headers["if-match"];
  delete headers["if-unmodified-since"];
  // RFC 9110 §10.1.1: an unknown expectation may be ignored; Node would answer it in English.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") delete headers.expect;
  if (!context.isForwarded) delete headers["x-device-name"];
  headers["x-forwarded-for"] = context.clientAddress;
  headers["x-request-id"] = context.requestId;
  headers["x-received-at"] = String(context.receivedAt);
  if (target !== undefined) request.url = target;
}

/**
 * Makes the request for the page of a rejection. It keeps only the language cookie and the headers that shape this page,
 * so no route sees the address or the body.
 */
export function refusalRequest(
  headers: IncomingHttpHeaders,
  { status }: Rejection,
  context: RequestContext,
  { publicOrigin, languageCookie }: FrontDoorRules,
): Request {
  const [language] = languageCookie.exec(headers.cookie ?? "") ?? [];
  const { accept, "user-agent": agent } = headers;
  return new Request(new URL(`/refused/${status}`, publicOrigin ?? "http://localhost"), {
    headers: {
      ...(accept !== undefined && { accept }),
      ...(agent !== undefined && { "user-agent": agent }),
      ...(language !== undefined && { cookie: language }),
      "x-forwarded-for": context.clientAddress,
      "x-request-id": context.requestId,
    },
  });
}
