import type { RegisteredCustomer } from "./demo-customers";
import { ask, type HttpAnswer } from "./http-request";
import type { PublicPortal } from "./portal";

/** The parts of the portal that a visitor needs. */
export type VisitedPortal = Pick<PublicPortal, "origin" | "port" | "secure" | "lastCode">;

/** The header by which a page's script says that a request is its own. */
export const FROM_SCRIPT: Readonly<Record<string, string>> = { "X-Portal-Form": "1" };

/** The parts of a request besides the address. */
export interface Extra {
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A browser without scripts, as a server sees it: it keeps cookies, sends its origin with forms and follows no
 * redirects.
 */
export class Visitor {
  readonly cookies = new Map<string, string>();
  readonly #portal: VisitedPortal;
  readonly #always: Readonly<Record<string, string>>;

  /** @param always headers of every request, such as another browser's `User-Agent` */
  constructor(portal: VisitedPortal, always: Readonly<Record<string, string>> = {}) {
    this.#portal = portal;
    this.#always = always;
  }

  /** Another window with a copy of the cookies; from now on they change separately. */
  twin(): Visitor {
    const twin = new Visitor(this.#portal, this.#always);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    return twin;
  }

  /** Gets a page. */
  get(path: string, { headers }: Extra = {}): Promise<HttpAnswer> {
    return this.send("GET", path, { ...(headers && { headers }) });
  }

  /** Posts a form. */
  post(path: string, fields: Readonly<Record<string, string>> = {}, extra: Extra = {}): Promise<HttpAnswer> {
    return this.postBody(path, new URLSearchParams(fields).toString(), extra);
  }

  /** Posts a form with this exact body. */
  postBody(path: string, body: string, { headers }: Extra = {}): Promise<HttpAnswer> {
    const type = { "Content-Type": "application/x-www-form-urlencoded" };
    return this.send("POST", path, { body, headers: { ...type, Origin: this.#portal.origin, ...headers } });
  }

  /** Makes a call of the API. */
  call(method: string, path: string, payload?: object): Promise<HttpAnswer> {
    if (payload === undefined) return this.send(method, path);
    return this.send(method, path, {
      body: JSON.stringify(payload),
      headers: { "Content-Type": "application/json" },
    });
  }

  /** Sends any request with this visitor's cookies. */
  async send(
    method: string,
    path: string,
    { headers, body }: Extra & { readonly body?: string | Buffer } = {},
  ): Promise<HttpAnswer> {
    const cookies = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const { port, origin, secure } = this.#portal;
    const answer = await ask({
      port,
      secure,
      path,
      method,
      headers: {
        Host: new URL(origin).host,
        ...this.#always,
        ...(cookies !== "" && { Cookie: cookies }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const line of answer.lines("Set-Cookie")) this.#keep(line);
    return answer;
  }

  /** Visits for the first time and accepts cookies. */
  async accept(): Promise<void> {
    await this.post("/home/cookies");
    // A real browser loads the page before a visitor can type. That sets the cookie that codes are bound to.
    await this.get("/home");
  }

  /** Sends username and password on the sign-in page. */
  login({ username, password }: Pick<RegisteredCustomer, "username" | "password">): Promise<HttpAnswer> {
    return this.post("/home?index", { username, password });
  }

  /** Sends the code on the second screen; trusts the device if asked to. */
  confirm(authorizationCode: string, trustDevice = false): Promise<HttpAnswer> {
    return this.post("/home/mfa", {
      intent: "confirm",
      authorizationCode,
      ...(trustDevice && { trustDevice: "Y" }),
    });
  }

  /** Goes as far as a pending session; a code is on its way. */
  async begin(customer: RegisteredCustomer): Promise<void> {
    if (!this.hasConsent) await this.accept();
    await this.#expect(this.login(customer), "/home/mfa");
  }

  /** Goes as far as an active session. */
  async signIn(customer: RegisteredCustomer, trustDevice = false): Promise<void> {
    await this.begin(customer);
    await this.#expect(this.confirm(await this.#portal.lastCode(customer.phone), trustDevice), "/cp");
  }

  /** Whether the visitor has accepted cookies. */
  get hasConsent(): boolean {
    return this.cookies.has("accepted-cookies");
  }

  async #expect(answer: Promise<HttpAnswer>, location: string): Promise<void> {
    const { status, header, body } = await answer;
    if (header("Location") !== location)
      throw new Error(`Expected ${location}, got ${status}: ${body.slice(0, 300)}`);
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";");
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals).trim();
    const isEnd = attributes.some((attribute) => attribute.trim().toLowerCase() === "max-age=0");
    if (isEnd) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1).trim());
  }
}
