import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestContext } from "./context.server";
import { isOurCsp, LIBRARY_HEADERS, SECURITY_HEADERS, STATIC_CSP, TRANSPORT_SECURITY } from "./headers";

/** What the headers of one answer depend on. */
export interface AnswerPlan {
  readonly context: RequestContext;
  /** Whether customers come by https. */
  readonly https: boolean;
  /** The methods that there are, with a 405. */
  readonly allow: string | undefined;
  /** Whether the answer is to be a packed file. */
  readonly packed: boolean;
  /** Whether the connection ends with this answer. */
  readonly lastOfConnection: () => boolean;
}

type HeadersArgument = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** What `send` (the static files of Express) answers a file with; our own answers carry neither of the two headers. */
const FILE_STATUSES: ReadonlySet<number> = new Set([200, 206, 304]);

/**
 * Has the last word on an answer's headers, at the moment when they are written, whoever writes them: static files,
 * screens, redirects, compression, Node itself. Each is there once, since each is set, never appended.
 */
export function ownHeaders(response: ServerResponse, plan: AnswerPlan): void {
  const writeHead = response.writeHead.bind(response) as (status: number, reason?: string) => ServerResponse;
  response.writeHead = (
    status: number,
    reason?: string | HeadersArgument,
    headers?: HeadersArgument,
  ): ServerResponse => {
    const named = typeof reason === "string";
    if (!response.headersSent) {
      takeOver(response, named ? headers : reason);
      applyPlan(response, status, plan);
    }
    return named ? writeHead(status, reason) : writeHead(status);
  };
}

/** Headers given to writeHead itself become like those that were set before, so that there is one list to judge. */
function takeOver(response: ServerResponse, headers: HeadersArgument | undefined): void {
  if (Array.isArray(headers)) {
    for (let at = 0; at < headers.length; at += 2) {
      const value = headers[at + 1];
      if (value !== undefined) response.setHeader(String(headers[at]), value);
    }
  } else if (headers) {
    for (const [name, value] of Object.entries(headers)) {
      if (value !== undefined) response.setHeader(name, value);
    }
  }
}

function applyPlan(response: ServerResponse, status: number, plan: AnswerPlan): void {
  const file = isFile(response, status);
  for (const name of LIBRARY_HEADERS) response.removeHeader(name);
  for (const { name, value } of SECURITY_HEADERS) response.setHeader(name, value);
  if (plan.https) response.setHeader(TRANSPORT_SECURITY.name, TRANSPORT_SECURITY.value);
  if (!isOurCsp(response.getHeader("Content-Security-Policy"))) {
    response.setHeader("Content-Security-Policy", STATIC_CSP);
  }
  if (!file) {
    // The build was taken away meanwhile: what answers now is not packed.
    if (plan.packed) response.removeHeader("Content-Encoding");
    response.setHeader("Cache-Control", "no-store");
    // Lynx knows only this: it would show what it has in memory, in another language or after signing out.
    response.setHeader("Pragma", "no-cache");
    response.setHeader("X-Request-Id", plan.context.requestId);
  }
  if (plan.context.setCookies.length > 0) response.appendHeader("Set-Cookie", plan.context.setCookies);
  if (plan.allow !== undefined) response.setHeader("Allow", plan.allow);
  if (plan.lastOfConnection()) response.setHeader("Connection", "close");
}

/**
 * Whether Express found a file: then the caching that it chose stays. All else is made for one visitor and is stored
 * nowhere (S55), also when it says of itself that it may be, and a file too once it carries a cookie.
 */
function isFile(response: ServerResponse, status: number): boolean {
  return (
    FILE_STATUSES.has(status) &&
    response.hasHeader("Accept-Ranges") &&
    response.hasHeader("Last-Modified") &&
    !response.hasHeader("Set-Cookie")
  );
}
