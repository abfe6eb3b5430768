import { parseCookie, parseSetCookie } from "cookie";
import type { AnswerMessage } from "~/contract/messages.server";
import { bareName, secondsToLive, verbatim } from "./attached-cookies";

/**
 * The backend's cookies during one request: those the browser sent (except the portal's own), updated by each
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
