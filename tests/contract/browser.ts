import type { RegisteredCustomer } from "../demo-customers";
import type { Way } from "./way";

/** A response with its body read. */
export interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly headers: Headers;
  readonly setCookies: readonly string[];
}

/** The error code of a refusal. */
export function errorCodeOf({ body }: Answer): string | undefined {
  return (body as { errorCode?: string } | undefined)?.errorCode;
}

/** The error code of a refusal, or the status of an answer without one. */
export function outcomeOf(answer: Answer): string | number {
  return errorCodeOf(answer) ?? answer.status;
}

/** The names of the fields that a 422 refuses. */
export function fieldsOf({ body }: Answer): readonly string[] | undefined {
  return (body as { fields?: string[] } | undefined)?.fields;
}

/** What an answer says: its status and body. */
export const refusalOf = ({ status, body }: Answer) => [status, body];
/** The status of an answer, and the fields that it names. */
export const statusAndFields = ({ status, body }: Answer) => [status, (body as { fields?: unknown }).fields];

/** Over https the name has a prefix. */
const SESSION_NAMES: readonly string[] = ["session", "__Host-session"];
const ENDED = /^max-age\s*=\s*(0|-\d+)$|^expires\s*=\s*thu, 01 jan 1970/i;

/** A browser as the backend sees one: it keeps cookies and sends JSON. */
export class Browser {
  readonly cookies = new Map<string, string>();
  readonly #way: Way;
  readonly #address: string | undefined;

  constructor(way: Way, address?: string) {
    this.#way = way;
    this.#address = address;
  }

  /** Another window that starts with the same cookies. @param way another way to the same backend */
  twin(way = this.#way): Browser {
    const twin = new Browser(way, this.#address);
    for (const [name, value] of this.cookies) twin.cookies.set(name, value);
    return twin;
  }

  get(path: string): Promise<Answer> {
    return this.send("GET", path);
  }

  post(path: string, payload: object = {}): Promise<Answer> {
    return this.send("POST", path, payload);
  }

  put(path: string, payload: object = {}): Promise<Answer> {
    return this.send("PUT", path, payload);
  }

  delete(path: string): Promise<Answer> {
    return this.send("DELETE", path);
  }

  async send(method: string, path: string, payload?: object): Promise<Answer> {
    const response = await this.fetch(method, path, payload);
    const setCookies = response.headers.getSetCookie();
    for (const line of setCookies) this.#keep(line);
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? undefined : JSON.parse(text),
      headers: response.headers,
      setCookies,
    };
  }

  /** The answer to a call as it is; its cookies are not kept. */
  fetch(
    method: string,
    path: string,
    payload?: object,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const headers = new Headers(more);
    if (this.cookies.size > 0)
      headers.set("Cookie", [...this.cookies].map((pair) => pair.join("=")).join("; "));
    if (this.#address !== undefined) headers.set("X-Forwarded-For", this.#address);
    if (payload) headers.set("Content-Type", "application/json");
    return this.#way.fetch(path, {
      method,
      headers,
      ...(payload && { body: JSON.stringify(payload) }),
    });
  }

  #keep(line: string): void {
    const [pair = "", ...attributes] = line.split(";").map((part) => part.trim());
    const equals = pair.indexOf("=");
    const name = pair.slice(0, equals);
    if (attributes.some((attribute) => ENDED.test(attribute))) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(equals + 1));
  }

  /** The value of the session cookie, if any. */
  get session(): string | undefined {
    return SESSION_NAMES.map((name) => this.cookies.get(name)).find((value) => value !== undefined);
  }

  /** Takes over the cookies that identify another browser, but keeps its own session. */
  identifyAs(other: Browser): void {
    for (const [name, value] of other.cookies)
      if (!SESSION_NAMES.includes(name)) this.cookies.set(name, value);
  }

  /** Sends username and password. */
  login({ username, password }: Pick<RegisteredCustomer, "username" | "password">): Promise<Answer> {
    return this.post("/home/api/auth/login", { username, password });
  }

  /** Requests a sign-in code. */
  askForCode(payload: object = {}): Promise<Answer> {
    return this.post("/home/api/user/activate-session/init", payload);
  }

  /** Sends a sign-in code. */
  confirm(authorizationCode: string, trustDevice: "Y" | "N" = "N"): Promise<Answer> {
    const deviceName = "Firefox, Linux";
    return this.post("/home/api/user/activate-session/confirm", {
      authorizationCode,
      deviceName,
      trustDevice,
    });
  }

  /** Signs in up to an active session. */
  async signIn(customer: RegisteredCustomer, trustDevice: "Y" | "N" = "N"): Promise<void> {
    await this.login(customer);
    await this.askForCode();
    const confirmed = await this.confirm(await latestCode(this.#way, customer.phone), trustDevice);
    if (confirmed.status !== 200)
      throw new Error(`${customer.username} could not sign in: ${confirmed.status}`);
  }
}

/** Whether a sign-in with the right password needs no code. */
export async function needsNoCode(browser: Browser, customer: RegisteredCustomer): Promise<boolean> {
  const { status } = await browser.login(customer);
  if (status !== 200) throw new Error(`${customer.username} could not sign in: ${status}`);
  return (await browser.post("/home/api/user/init")).status === 200;
}

/** The code in the newest message to a number. */
export async function latestCode(way: Way, phone: string): Promise<string> {
  if (way.askForCode) return way.askForCode(phone);
  const message = (await way.outbox()).find(({ to }) => to === phone);
  const code = /\d{6}/.exec(message?.text ?? "")?.[0];
  if (code === undefined) throw new Error(`no code was sent to ${phone}`);
  return code;
}

/** How many messages a number has received. */
export async function messagesTo(way: Way, phone: string): Promise<number> {
  return (await way.outbox()).filter(({ to }) => to === phone).length;
}

/** A code that is certainly wrong. */
export function wrongCode(right: string, nth = 1): string {
  return String((Number(right) + nth) % 1_000_000).padStart(6, "0");
}
