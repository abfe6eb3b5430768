import { parseCookie, parseSetCookie } from "cookie";
import { bareName, secondsToLive, verbatim } from "./attached-cookies";

/**
 * The backend's cookies during one request: what the browser sent (less the portal's own), changed by each
 * `Set-Cookie` for the calls that follow, and the lines that the browser must be told. Values stay opaque.
 */
export class CookieJar {
  readonly #values: Map<string, string>;
  readonly #lines = new Map<string, string>();
  readonly #withheld: ReadonlySet<string>;
  readonly #relay: (line: string) => void;

  /**
   * `withheld` names the portal's own cookies: they never reach a backend, and no backend sets them, with `__Host-` or
   * without it.
   */
  constructor(header: string | null, withheld: readonly string[], relay: (line: string) => void) {
    this.#withheld = new Set(withheld.map(comparable));
    this.#relay = relay;
    const sent = Object.entries(parseCookie(header ?? "", verbatim));
    this.#values = new Map(
      sent.flatMap(([name, value]) =>
        // w3m sends a cookie that has just been ended by Max-Age=0 for another second, empty.
        value === undefined || value === "" || this.#withheld.has(comparable(name)) ? [] : [[name, value]],
      ),
    );
  }

  /** The `Cookie` header of the next call. */
  get header(): string {
    // As they came: other applications of the same host set cookies that are against the rules, and no business of ours.
    return [...this.#values].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  /** Whether a call would carry this cookie. */
  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** Takes over an answer's `Set-Cookie` lines, and relays them to the browser. */
  apply(answer: Response): void {
    for (const line of answer.headers.getSetCookie()) this.set(line);
  }

  /** Takes over one `Set-Cookie` line; a line with no name, or with a withheld one, is dropped. */
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
