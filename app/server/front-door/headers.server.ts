import type { ServerResponse } from "node:http";
import onHeaders from "on-headers";
import { isOurCsp, STATIC_CSP } from "./content-policy";
import type { RequestContext } from "./context.server";

interface SecurityHeader {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

/** Features that no screen uses, so nothing embedded or injected may use them either. */
const UNUSED_FEATURES = [
  "accelerometer",
  "autoplay",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "picture-in-picture",
  "screen-wake-lock",
  "usb",
  "xr-spatial-tracking",
];

/** Sent with every answer, whatever its kind and status (S54). */
export const SECURITY_HEADERS: readonly SecurityHeader[] = [
  {
    name: "X-Content-Type-Options",
    value: "nosniff",
    why: "A file is what its type says, so no upload or error text ever runs as a script.",
  },
  {
    name: "Referrer-Policy",
    value: "same-origin",
    why: "Other sites never see our addresses. `no-referrer` would make browsers send `Origin: null` with forms.",
  },
  {
    name: "Cross-Origin-Opener-Policy",
    value: "same-origin",
    why: "A page that opened us, or that we opened, gets no handle on our window.",
  },
  {
    name: "Cross-Origin-Resource-Policy",
    value: "same-origin",
    why: "No other site can load our answers into its process (Spectre).",
  },
  {
    name: "Cross-Origin-Embedder-Policy",
    value: "require-corp",
    why: "Nothing from other sites is embedded without their consent; we embed nothing anyway.",
  },
  {
    name: "Origin-Agent-Cluster",
    value: "?1",
    why: "Asks for a process of our own, separate from other hosts of the same domain.",
  },
  { name: "X-Frame-Options", value: "DENY", why: "Stops clickjacking in browsers without frame-ancestors." },
  {
    name: "Permissions-Policy",
    value: UNUSED_FEATURES.map((feature) => `${feature}=()`).join(", "),
    why: "Features we never use can't be abused.",
  },
];

/**
 * Sent only if customers come by https: over http browsers ignore it, and on localhost it would break other http
 * servers.
 */
export const TRANSPORT_SECURITY: SecurityHeader = {
  name: "Strict-Transport-Security",
  value: "max-age=63072000; includeSubDomains",
  why: "For two years browsers use https only, even if a link or an attacker says http (S54: at least one).",
};

/**
 * Headers that only name our libraries: browsers read none of them with the data format we use (S72). And
 * `Accept-Ranges`, a promise of Express that we don't keep: files are sent whole (F42).
 */
const LIBRARY_HEADERS: readonly string[] = [
  "Accept-Ranges",
  "X-Powered-By",
  "Server",
  "X-Remix-Response",
  "X-Remix-Catch",
  "X-Remix-Error",
];

/** The facts that decide the headers of one answer. */
interface AnswerPlan {
  readonly context: RequestContext;
  /** Whether customers come by https. */
  readonly https: boolean;
  /** Whether the request comes from the page's script, which can't see where a redirect leads. */
  readonly isForScript: boolean;
  /** With a 405: the allowed methods. */
  readonly allow: string | undefined;
  /** Whether the connection closes after this answer. */
  readonly lastOfConnection: () => boolean;
}

/** The statuses that `send` (Express's static files) answers a file with. */
const FILE_STATUSES: ReadonlySet<number> = new Set([200, 206, 304]);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307]);

/** Not "cookies", because a trusted device and consent outlive a sign-out. */
const CLEARED = '"cache", "storage"';

/** The browser may keep the page, but shows it only when the visitor goes back to it. */
const FOR_BACK = "private, no-cache";

/**
 * Has the last word on an answer's headers, just before they are written, whatever writes them: static files, screens,
 * redirects, compression, Node itself. Sets our headers instead of appending them, so that each appears once.
 */
export function finalizeHeaders(response: ServerResponse, plan: AnswerPlan): void {
  onHeaders(response, () => {
    if (plan.isForScript) nameRedirect(response);
    applyPlan(response, plan);
  });
}

/**
 * The headers of an answer that is written straight to its connection, because Node makes no response for its request.
 * @param allow the allowed methods, with a 405
 */
export function headersOfRawAnswer(
  page: Response,
  bytes: number,
  context: RequestContext,
  https: boolean,
  allow: string | undefined,
): readonly (readonly [string, string])[] {
  return [
    ...(allow === undefined ? [] : [["Allow", allow] as const]),
    ["Content-Type", page.headers.get("Content-Type") ?? "text/html; charset=utf-8"],
    ["Content-Length", String(bytes)],
    ["Content-Security-Policy", page.headers.get("Content-Security-Policy") ?? STATIC_CSP],
    ...ofEveryAnswer(https),
    ["Cache-Control", "no-store"],
    ...ofMadeAnswers(context),
    ["Connection", "close"],
  ];
}

/** The headers of every answer. */
function ofEveryAnswer(https: boolean): readonly (readonly [string, string])[] {
  const headers = https ? [...SECURITY_HEADERS, TRANSPORT_SECURITY] : SECURITY_HEADERS;
  return headers.map(({ name, value }) => [name, value] as const);
}

/** Further headers of every answer that isn't a file. */
function ofMadeAnswers({ requestId }: RequestContext): readonly (readonly [string, string])[] {
  return [
    // Lynx honours only this one: without it, it would show a cached page in the wrong language, or after signing out.
    ["Pragma", "no-cache"],
    ["X-Request-Id", requestId],
  ];
}

/**
 * Makes a redirect a 204 that names its address. A browser's `fetch` would follow the redirect, and the page would be
 * loaded twice: its notice would be gone the second time.
 */
function nameRedirect(response: ServerResponse): void {
  const location = response.getHeader("Location");
  if (!REDIRECTS.has(response.statusCode) || location === undefined) return;
  response.setHeader("X-Location", location);
  for (const name of ["Location", "Content-Type", "Content-Length"]) response.removeHeader(name);
  response.statusCode = 204;
}

function applyPlan(response: ServerResponse, plan: AnswerPlan): void {
  const isStored = isFile(response);
  for (const name of LIBRARY_HEADERS) response.removeHeader(name);
  for (const [name, value] of ofEveryAnswer(plan.https)) response.setHeader(name, value);
  if (!isOurCsp(response.getHeader("Content-Security-Policy"))) {
    response.setHeader("Content-Security-Policy", STATIC_CSP);
  }
  if (!isStored) {
    response.setHeader("Cache-Control", isForBack(response, plan.context) ? FOR_BACK : "no-store");
    for (const [name, value] of ofMadeAnswers(plan.context)) response.setHeader(name, value);
  }
  setForVisitor(response, plan.context);
  if (plan.allow !== undefined) response.setHeader("Allow", plan.allow);
  if (plan.lastOfConnection()) response.setHeader("Connection", "close");
}

/** Sets the headers that change the visitor's browser, but only for navigations and writes. */
function setForVisitor(response: ServerResponse, context: RequestContext): void {
  const { setCookies, isAnonymous, clearsBrowser } = context;
  if (isAnonymous === true) {
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
function isForBack(response: ServerResponse, { backMayShow }: RequestContext): boolean {
  return (
    backMayShow === true &&
    response.statusCode >= 400 &&
    !response.hasHeader("Cache-Control") &&
    String(response.getHeader("Content-Type")).startsWith("text/html")
  );
}

/**
 * Whether Express answers with a file, which keeps its caching headers. Everything else is made for one visitor and is
 * never stored (S55), even if its own headers allow it; nor is a file that sets a cookie. Our own answers have neither
 * Accept-Ranges nor Last-Modified.
 */
function isFile(response: ServerResponse): boolean {
  return (
    FILE_STATUSES.has(response.statusCode) &&
    response.hasHeader("Accept-Ranges") &&
    response.hasHeader("Last-Modified") &&
    !response.hasHeader("Set-Cookie")
  );
}
