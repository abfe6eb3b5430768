import type { IncomingMessage, ServerResponse } from "node:http";
import { createRequest } from "@remix-run/node-fetch-server";
import { contextOf, type FinishedPage } from "./context.server";
import type { Answer } from "./hand-on";
import { leftSignal } from "./left.server";
import { portalRequestHandler } from "./portal-request-handler.server";
import { sendInTime, type ReadLimits } from "./send-in-time.server";

/**
 * Makes a function that answers a request with the app: a screen, or anything else that has a route.
 * @param limits how slowly a client may read what is streamed
 * @param report told of an error that nothing has made an answer of; the visitor gets a bare 500
 */
export function appAnswerer(
  limits: ReadLimits,
  report: (request: IncomingMessage, error: unknown) => void,
): Answer {
  return (request, response) => {
    let asked: Request | undefined;
    const answer = async () => {
      asked = createRequest(request, response);
      const page: FinishedPage = {};
      const handle = await portalRequestHandler();
      const left = () => leftSignal(response);
      const answered = await handle(asked, { incoming: contextOf(request), page, left });
      if (response.destroyed) return;
      if (page.bytes) sendPage(response, answered, page.bytes);
      else await sendInTime(response, answered, limits);
    };
    answer().catch((error: unknown) => {
      if (response.destroyed || asked?.signal.aborted) return;
      report(request, error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500).end();
    });
  };
}

/** A page is one piece: as the body of a Response, undici would make a stream of it and Node would read that again. */
function sendPage(response: ServerResponse, { status, headers }: Response, bytes: Uint8Array): void {
  response.statusCode = status;
  for (const [name, value] of headers) if (name !== "set-cookie") response.setHeader(name, value);
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) response.setHeader("Set-Cookie", cookies);
  response.end(bytes);
}
