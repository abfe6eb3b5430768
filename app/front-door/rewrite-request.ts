import type { IncomingMessage } from "node:http";
import { FORWARDING_HEADERS } from "./client-address";
import type { RequestContext } from "./context.server";
import type { Pass, Rejection } from "./decision";
import type { FrontDoorRules } from "./policy";

/** Removes from a request what the app must not read. */
export function passToApp(
  request: IncomingMessage,
  { target, asStranger }: Pass,
  context: RequestContext,
): void {
  const { headers } = request;
  if (asStranger === true) delete headers.cookie;
  // Headers that an app might trust. Only the decision may read them. Without an Origin, Remix's own check, which
  // answers with a bare 500, never fires.
  for (const name of FORWARDING_HEADERS) delete headers[name];
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
 * Turns the request into one for the rejection page. Keeps only the language cookie and the headers that shape this
 * page.
 */
export function routeToRejectionPage(
  request: IncomingMessage,
  { status }: Rejection,
  context: RequestContext,
  { publicOrigin, languageCookie }: FrontDoorRules,
): void {
  const [language] = languageCookie.exec(request.headers.cookie ?? "") ?? [];
  const { accept, "accept-encoding": encodings, "user-agent": agent } = request.headers;
  request.method = "GET";
  request.url = `/refused/${status}`;
  request.headers = {
    ...(accept !== undefined && { accept }),
    ...(encodings !== undefined && { "accept-encoding": encodings }),
    ...(agent !== undefined && { "user-agent": agent }),
    ...(language !== undefined && { cookie: language }),
    host: publicOrigin === undefined ? "localhost" : new URL(publicOrigin).host,
    "x-forwarded-for": context.clientAddress,
    "x-request-id": context.requestId,
  };
}
