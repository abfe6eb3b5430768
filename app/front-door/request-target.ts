/** Which rules a path falls under: those of the backend's API, or those of everything people look at. */
export type Area = "api" | "pages";

/** A well-formed request target. */
export interface RequestTarget {
  readonly area: Area;
  /** Path and query as they arrived; of an absolute target, the part after the authority. */
  readonly local: string;
  /** The path, percent-decoded. */
  readonly path: string;
  /** The part after the `?`, as it arrived. */
  readonly query: string;
  /** Host and port of an absolute target (RFC 9112 §3.2.2), in lower case. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const API = /^\/(?:home|cp)\/api(?:\/|$)/i;

/** The same in an address that can't be decoded. */
const RAW_API = /^(?:https?:\/\/[^/?#]*)?\/(?:home|cp)\/api(?:[/?]|$)/i;

const SPACE = 0x20;
const SLASH = 0x2f;
const PERCENT = 0x25;
const QUESTION = 0x3f;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/**
 * Parses a request target; undefined if it is malformed (S66). Stricter than the libraries behind it: they throw on `//`
 * and on percent-encoding that isn't UTF-8, and disagree about dots, backslashes and NULs in a path. Browsers send none
 * of these.
 */
export function readTarget(target: string): RequestTarget | undefined {
  let local = target;
  let authority: string | undefined;
  if (target.charCodeAt(0) !== SLASH) {
    const absolute = ABSOLUTE.exec(target);
    if (!absolute) return undefined;
    const [, host = "", rest = ""] = absolute;
    authority = host.toLowerCase();
    local = rest.startsWith("/") ? rest : `/${rest}`;
  }
  const syntax = scan(local);
  if (!syntax) return undefined;
  const rawPath = syntax.queryAt === -1 ? local : local.slice(0, syntax.queryAt);
  const path = syntax.encoded ? decode(rawPath) : rawPath;
  if (path === undefined || path.charCodeAt(1) === SLASH || !isPlain(path)) return undefined;
  if (path.includes("/.") && DOT_SEGMENT.test(path)) return undefined;
  const query = syntax.queryAt === -1 ? "" : local.slice(syntax.queryAt + 1);
  return { area: API.test(path) ? "api" : "pages", local, path, query, authority };
}

/** Whether a malformed target is an address of the API, where every answer is JSON. */
export function isApiAddress(target: string): boolean {
  return RAW_API.test(target);
}

/**
 * Whether a target asks for a page's data, or for a list of routes, in one of Remix's ways. No page of ours does, and
 * the answers would bypass the checks of the document (S39).
 */
export function asksForRouteData({ path, query }: RequestTarget): boolean {
  if (path.endsWith(".data") || path === "/__manifest") return true;
  if (!query.includes("_") && !query.includes("%")) return false;
  const parameters = new URLSearchParams(query);
  return parameters.has("_data") || parameters.has("_routes");
}

/**
 * Whether a decoded path has more than `limit` segments (S104). The libraries behind the door try every pattern on every
 * ancestor of an address, so the cost grows with the square of its depth.
 */
export function hasMoreSegments(path: string, limit: number): boolean {
  let segments = 0;
  for (let slash = path.indexOf("/"); slash !== -1 && segments <= limit; slash = path.indexOf("/", slash + 1))
    segments += 1;
  return segments > limit;
}

/** Checks a target in one pass: two hex digits after every `%`; no space, no control character, no fragment. */
function scan(local: string): { queryAt: number; encoded: boolean } | undefined {
  let queryAt = -1;
  let encoded = false;
  for (let at = 0; at < local.length; at += 1) {
    const code = local.charCodeAt(at);
    if (code === SPACE || code === HASH || isControl(code)) return undefined;
    if (code === QUESTION && queryAt === -1) queryAt = at;
    if (code === PERCENT) {
      if (!isHex(local.charCodeAt(at + 1)) || !isHex(local.charCodeAt(at + 2))) return undefined;
      if (queryAt === -1) encoded = true;
    }
  }
  return { queryAt, encoded };
}

/** Whether a decoded path is free of control characters and of backslashes, which some code reads as slashes. */
function isPlain(path: string): boolean {
  for (let at = 0; at < path.length; at += 1) {
    const code = path.charCodeAt(at);
    if (isControl(code) || code === BACKSLASH) return false;
  }
  return true;
}

function isControl(code: number): boolean {
  return code < 0x20 || code === DELETE;
}

function isHex(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
