/** Which rules a path falls under: the backend's API, or everything that people look at. */
export type Area = "api" | "pages";

/** A request target that is well formed. */
export interface RequestTarget {
  readonly area: Area;
  /** Path and query, as they arrived; of an absolute target, what follows the authority. */
  readonly local: string;
  /** The path, percent-decoded. */
  readonly path: string;
  /** What follows the `?`, as it arrived. */
  readonly query: string;
  /** Host and port of an absolute target (RFC 9112 §3.2.2), in lower case. */
  readonly authority: string | undefined;
}

const ABSOLUTE = /^https?:\/\/([^/?#]*)(.*)$/is;
const DOT_SEGMENT = /\/\.{1,2}(?:\/|$)/;
const API = /^\/(?:home|cp)\/api(?:\/|$)/i;

const SPACE = 0x20;
const SLASH = 0x2f;
const PERCENT = 0x25;
const QUESTION = 0x3f;
const HASH = 0x23;
const BACKSLASH = 0x5c;
const DELETE = 0x7f;

/**
 * Reads a request target; undefined when it is malformed (S66). Stricter than the libraries behind it, which throw at
 * `//` and at percent-encoding that is not UTF-8, and which read a path that has dots, backslashes or NUL in it
 * differently from one another. Browsers send none of these.
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
  const path = syntax.encoded ? decoded(rawPath) : rawPath;
  if (path === undefined || path.charCodeAt(1) === SLASH || !isPlain(path)) return undefined;
  if (path.includes("/.") && DOT_SEGMENT.test(path)) return undefined;
  const query = syntax.queryAt === -1 ? "" : local.slice(syntax.queryAt + 1);
  return { area: API.test(path) ? "api" : "pages", local, path, query, authority };
}

/**
 * Whether a query has the parameter `_data`, by which Remix 1 asked for the data of one screen. Nothing of ours sends
 * it, and what answers it goes round the document's own gates (S39).
 */
export function asksForRouteData(query: string): boolean {
  if (!query.includes("_data") && !query.includes("%")) return false;
  return new URLSearchParams(query).has("_data");
}

/**
 * Whether a decoded path has more than `most` segments (S104). The libraries behind the door try every pattern on every
 * ancestor of an address, so its price grows with the square of its depth.
 */
export function hasMoreSegments(path: string, most: number): boolean {
  let segments = 0;
  for (let slash = path.indexOf("/"); slash !== -1 && segments <= most; slash = path.indexOf("/", slash + 1))
    segments += 1;
  return segments > most;
}

/** One pass over a target: every `%` is followed by two hexadecimal digits; no space, no control character, no fragment. */
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

/** Whether a decoded path has neither a control character nor a backslash, which some would read as a slash. */
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

function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
