import { parseCookie, parseSetCookie, type SetCookie } from "cookie";
import type { AnswerMessage } from "~/contract/messages.server";

/** With this prefix, browsers limit a cookie to one host, https and path `/` (RFC 6265bis §4.1.3). */
const HOST_PREFIX = "__Host-";
/** RFC 9110 §5.6.2. */
const NAME = /^[\w!#$%&'*+\-.^`|~]+$/;
/** Printable ASCII, which browsers store and send back unchanged. */
const VALUE = /^[\x20-\x7e]*$/;
/** Name and value of one cookie, in bytes; browsers drop longer ones (RFC 6265bis §5.6). */
const MOST_BYTES = 4096;
/**
 * All cookies kept for the backend, in bytes: servers refuse a head of 16 KB, and each cookie is sent under two names.
 */
const MOST_BYTES_TOGETHER = 6 * 1024;
/** At most this many lines of one answer are read. */
const MOST_LINES = 20;

/** Values stay unchanged; only the backend knows what they mean. */
const verbatim = { decode: (value: string) => value };

/** A cookie's name without `__Host-`. Browsers ignore the prefix's case, so checks for forbidden names must too. */
function bareName(name: string): string {
  return name.toLowerCase().startsWith(HOST_PREFIX.toLowerCase()) ? name.slice(HOST_PREFIX.length) : name;
}

/**
 * A browser's `Cookie` header, for an attached backend. That backend names its cookies by the scheme of its own origin,
 * which the portal doesn't know, so each is sent under both names, with `__Host-` and without.
 * On an https portal only cookies with the prefix are the backend's. Others may have been set elsewhere on the
 * insurer's domain, and must not become a session (S53).
 * @param https whether customers reach the portal by https
 */
export function cookiesForBackend(header: string, https: boolean): string {
  return backendPairs(header, https)
    .map((pair) => (https ? pair.slice(HOST_PREFIX.length) : pair))
    .map((pair) => `${pair}; ${HOST_PREFIX}${pair}`)
    .join("; ");
}

/**
 * The backend's cookies, as the browser named them. A name that is not a token is dropped: a backend that parses less
 * strictly could take `\xA0__Host-session` for `__Host-session` (S109).
 */
function backendPairs(header: string, https: boolean): string[] {
  return Object.entries(parseCookie(header, verbatim))
    .filter(([name]) => NAME.test(name) && name.startsWith(HOST_PREFIX) === https)
    .map(([name, value = ""]) => `${name}=${value}`);
}

/**
 * An answer's `Set-Cookie` lines, for customers' browsers. Drops cookies that a browser could not send back, and
 * cookies that would make its `Cookie` header too long for servers, which would lock the visitor out.
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
    const total = [...sizes.values()].reduce((sum, size) => sum + size, after - before);
    if (after > before && total > MOST_BYTES_TOGETHER) return [];
    sizes.set(name, after);
    return [own];
  });
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf("="));
}

/**
 * An attached backend's `Set-Cookie` line, for customers' browsers: name, value and lifetime are the backend's; the
 * rest is the portal's and depends only on the customer-facing origin. Undefined if a browser could not send the cookie
 * back unchanged.
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

/** How long a cookie lives, in whole seconds; 0 removes it; undefined means until the browser is closed. */
function secondsToLive({ maxAge, expires }: SetCookie, now: number): number | undefined {
  // Max-Age wins over Expires, in either order (RFC 6265bis §5.7).
  if (maxAge !== undefined && Number.isSafeInteger(maxAge)) return Math.max(0, maxAge);
  return expires && Math.max(0, Math.floor((expires.getTime() - now) / 1000));
}

/**
 * The backend's cookies during one request: what the browser sent (except the portal's own), updated by each
 * `Set-Cookie` for later calls and relayed to the browser. Values stay opaque.
 */
export class CookieJar {
  readonly #values: Map<string, string>;
  readonly #lines = new Map<string, string>();
  readonly #withheld: ReadonlySet<string>;
  readonly #relay: (line: string) => void;

  /**
   * @param withheld names of the portal's own cookies, which no backend ever gets or can set, with `__Host-` or without
   */
  constructor(header: string | null, withheld: readonly string[], relay: (line: string) => void) {
    this.#withheld = new Set(withheld.map(comparable));
    this.#relay = relay;
    const sent = Object.entries(parseCookie(header ?? "", verbatim));
    this.#values = new Map(
      sent.flatMap(([name, value]) =>
        // For a second after Max-Age=0 has removed a cookie, w3m still sends it, empty.
        value === undefined || value === "" || this.#withheld.has(comparable(name)) ? [] : [[name, value]],
      ),
    );
  }

  /** The `Cookie` header of the next call. */
  get header(): string {
    // Unchanged: invalid cookies of other applications on this host are not our business.
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Whether a call would carry this cookie. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The value that a call would carry under this name, if any. */
  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Applies an answer's `Set-Cookie` lines and relays them to the browser. */
  apply({ setCookies }: AnswerMessage): void {
    for (const line of setCookies) this.set(line);
  }

  /** Applies one `Set-Cookie` line. A line without a name, or with a withheld one, is dropped. */
  set(line: string): void {
    const cookie = parseSetCookie(line, verbatim);
    const { name, value = "" } = cookie;
    if (name === "" || this.#withheld.has(comparable(name))) return;
    if (secondsToLive(cookie, Date.now()) === 0) this.#values.delete(name);
    else this.#values.set(name, value);
    if (this.#lines.get(name) === line) return;
    this.#lines.set(name, line);
    this.#relay(line);
  }
}

function comparable(name: string): string {
  return bareName(name).toLowerCase();
}
