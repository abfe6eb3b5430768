import { parseCookie, parseSetCookie, type SetCookie } from "cookie";

/** The prefix by which browsers keep a cookie to one host, https and the whole site (RFC 6265bis §4.1.3). */
const HOST_PREFIX = "__Host-";
/** RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+\-.^`|~]+$/;
/** Printable ASCII: what a browser stores as it came and sends back so. */
const VALUE = /^[\x20-\x7e]*$/;
/** Name and value of one cookie, in bytes; browsers drop what is longer (RFC 6265bis §5.6). */
const MOST_BYTES = 4096;
/** All that a browser keeps for the backend, in bytes: servers refuse a head of 16 KB, and it travels under two names. */
const MOST_BYTES_TOGETHER = 6 * 1024;
/** Lines that are read of one answer. */
const MOST_LINES = 20;

/** Values stay as they came: what they mean is the backend's business. */
export const verbatim = { decode: (value: string) => value };

/** A cookie's name without `__Host-`. Browsers compare the prefix without case, and so must whoever forbids a name. */
export function bareName(name: string): string {
  return name.toLowerCase().startsWith(HOST_PREFIX.toLowerCase()) ? name.slice(HOST_PREFIX.length) : name;
}

/**
 * A browser's `Cookie` header as an attached backend may read it. Which name that backend gave a cookie depends on its
 * own origin's scheme, which nothing tells the portal: so each goes under both, with `__Host-` and without.
 * Of an https portal's cookies only those with the prefix are a backend's; others were set by somebody else on the
 * insurer's domain, and must not become anybody's session (S53).
 * @param https whether customers reach the portal by https
 */
export function cookiesForBackend(header: string, https: boolean): string {
  return backendPairs(header, https)
    .map((pair) => (https ? pair.slice(HOST_PREFIX.length) : pair))
    .map((pair) => `${pair}; ${HOST_PREFIX}${pair}`)
    .join("; ");
}

/**
 * The cookies of a browser that are a backend's, as the browser named them. A name that is no token is dropped: a
 * backend that reads it less strictly than we do could take `\xA0__Host-session` for `__Host-session` (S109).
 */
function backendPairs(header: string, https: boolean): string[] {
  return Object.entries(parseCookie(header, verbatim))
    .filter(([name]) => NAME.test(name) && name.startsWith(HOST_PREFIX) === https)
    .map(([name, value = ""]) => `${name}=${value}`);
}

/**
 * The `Set-Cookie` lines of an answer as customers' browsers get them. What a browser could not send back is dropped,
 * and so is what would grow its `Cookie` header until no server takes it: it would lock the visitor out.
 * @param header the browser's `Cookie` header
 * @param https whether customers reach the portal by https
 * @param now ms since 1970
 */
export function setCookieLinesForBrowser(
  lines: readonly string[],
  header: string,
  https: boolean,
  now: number,
): readonly string[] {
  const sizes = new Map(backendPairs(header, https).map((pair) => [nameOf(pair), pair.length]));
  return lines.slice(0, MOST_LINES).flatMap((line) => {
    const own = setCookieLineForBrowser(line, https, now);
    if (own === undefined) return [];
    const name = nameOf(own);
    const before = sizes.get(name) ?? 0;
    const after = own.includes("; Max-Age=0;") ? 0 : own.indexOf(";");
    const together = [...sizes.values()].reduce((sum, size) => sum + size, after - before);
    if (after > before && together > MOST_BYTES_TOGETHER) return [];
    sizes.set(name, after);
    return [own];
  });
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf("="));
}

/**
 * A `Set-Cookie` line of an attached backend as customers' browsers get it: name, value and lifetime are the backend's,
 * everything else is the portal's own and depends on the customer-facing origin alone. Undefined when the line is
 * nothing that a browser could send back as it came.
 * @param https whether customers reach the portal by https
 * @param now ms since 1970
 */
export function setCookieLineForBrowser(line: string, https: boolean, now: number): string | undefined {
  const cookie = parseSetCookie(line, verbatim);
  const { value = "" } = cookie;
  const name = bareName(cookie.name);
  if (!NAME.test(name) || !VALUE.test(value) || name.length + value.length > MOST_BYTES) return undefined;
  const maxAge = secondsToLive(cookie, now);
  return [
    `${https ? HOST_PREFIX : ""}${name}=${value}`,
    ...(maxAge === undefined ? [] : [`Max-Age=${maxAge}`]),
    "Path=/",
    "HttpOnly",
    "SameSite=Lax",
    ...(https ? ["Secure"] : []),
  ].join("; ");
}

/** How long a cookie lives, in whole seconds; 0 for one that is to go; undefined until the browser is closed. */
export function secondsToLive({ maxAge, expires }: SetCookie, now: number): number | undefined {
  // Max-Age wins over Expires, wherever it stands (RFC 6265bis §5.7).
  if (maxAge !== undefined && Number.isSafeInteger(maxAge)) return Math.max(0, maxAge);
  return expires && Math.max(0, Math.floor((expires.getTime() - now) / 1000));
}
