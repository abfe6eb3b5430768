import type { OutgoingHttpHeader, OutgoingHttpHeaders, ServerResponse } from "node:http";
import type { RequestContext } from "./context.server";
import { isOurCsp, LIBRARY_HEADERS, SECURITY_HEADERS, STATIC_CSP, TRANSPORT_SECURITY } from "./headers";

/** What the headers of one answer depend on. */
export interface AnswerPlan {
  readonly context: RequestContext;
  /** Whether customers come by https. */
  readonly https: boolean;
  /** Whether the page's script asks, which can't see where a redirect leads. */
  readonly isForScript: boolean;
  /** With a 405: the allowed methods. */
  readonly allow: string | undefined;
  /** Whether the connection closes after this answer. */
  readonly lastOfConnection: () => boolean;
}

type HeadersArgument = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The statuses that `send` (Express's static files) answers a file with. */
const FILE_STATUSES: ReadonlySet<number> = new Set([200, 206, 304]);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307]);

/** Not "cookies", because a trusted device and consent outlive a sign-out. */
const CLEARED = '"cache", "storage"';

/** The browser may keep the page, but shows it only when somebody goes back to it. */
const FOR_BACK = "private, no-cache";

/**
 * Has the last word on an answer's headers, just before they are written, whatever writes them: static files, screens,
 * redirects, compression, Node itself. Sets our headers instead of appending them, so that each appears once.
 */
export function finalizeHeaders(response: ServerResponse, plan: AnswerPlan): void {
  const writeHead = response.writeHead.bind(response) as (status: number, reason?: string) => ServerResponse;
  response.writeHead = (
    given: number,
    reason?: string | HeadersArgument,
    headers?: HeadersArgument,
  ): ServerResponse => {
    const named = typeof reason === "string";
    let status = given;
    if (!response.headersSent) {
      setAll(response, named ? headers : reason);
      if (plan.isForScript) status = nameRedirect(response, given);
      applyPlan(response, status, plan);
    }
    // Without a reason Node writes the usual one.
    return named && reason !== "" && status === given ? writeHead(status, reason) : writeHead(status);
  };
}

/** Sets the headers that were passed to writeHead, so that there is one list to check. */
function setAll(response: ServerResponse, headers: HeadersArgument | undefined): void {
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

/**
 * Makes a redirect a 204 that names its address. A browser's `fetch` would follow the redirect, and the page would be
 * loaded twice: its notice would be gone the second time.
 * @returns the status to send
 */
function nameRedirect(response: ServerResponse, status: number): number {
  const location = response.getHeader("Location");
  if (!REDIRECTS.has(status) || location === undefined) return status;
  response.setHeader("X-Location", location);
  for (const name of ["Location", "Content-Type", "Content-Length"]) response.removeHeader(name);
  return 204;
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
    response.setHeader("Cache-Control", isForBack(response, status, plan.context) ? FOR_BACK : "no-store");
    // Lynx knows only this: it would show a cached page in the wrong language, or after signing out.
    response.setHeader("Pragma", "no-cache");
    response.setHeader("X-Request-Id", plan.context.requestId);
  }
  setForVisitor(response, plan.context);
  if (plan.allow !== undefined) response.setHeader("Allow", plan.allow);
  if (plan.lastOfConnection()) response.setHeader("Connection", "close");
}

/** Sets the headers that change the visitor's browser, but only for navigations and writes. */
function setForVisitor(response: ServerResponse, context: RequestContext): void {
  const { setCookies, asStranger, clearsBrowser } = context;
  if (asStranger === true) {
    response.removeHeader("Set-Cookie");
    return;
  }
  if (setCookies.length > 0) response.appendHeader("Set-Cookie", setCookies);
  if (clearsBrowser === true) response.setHeader("Clear-Site-Data", CLEARED);
}

/**
 * Whether Back may show this page: it answers a form and names no person. Otherwise Back would show the browser's own
 * error, or send the form again (F9). The app can still forbid it with its own header.
 */
function isForBack(response: ServerResponse, status: number, { backMayShow }: RequestContext): boolean {
  return (
    backMayShow === true &&
    status >= 400 &&
    !response.hasHeader("Cache-Control") &&
    String(response.getHeader("Content-Type")).startsWith("text/html")
  );
}

/**
 * Whether Express answers with a file, which keeps its caching headers. Everything else is made for one visitor and is
 * never stored (S55), even if its own headers allow it; nor is a file that sets a cookie. Our own answers have neither
 * Accept-Ranges nor Last-Modified.
 */
function isFile(response: ServerResponse, status: number): boolean {
  return (
    FILE_STATUSES.has(status) &&
    response.hasHeader("Accept-Ranges") &&
    response.hasHeader("Last-Modified") &&
    !response.hasHeader("Set-Cookie")
  );
}
