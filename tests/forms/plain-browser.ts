// A browser without scripts, styles or pictures: it keeps cookies, follows redirects, and sends what Chromium sends.
import type { APIRequest, APIRequestContext, APIResponse } from "@playwright/test";
import { parsePage, type Element } from "./dom";
import type { View } from "./finding";
import type { Filled, Sent } from "./form";

/** More redirects than any journey has; a browser gives up after 20. */
const MOST_REDIRECTS = 20;
const CHROMIUM =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";

const ALWAYS = {
  "upgrade-insecure-requests": "1",
  "user-agent": CHROMIUM,
  accept:
    "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "sec-fetch-mode": "navigate",
  "sec-fetch-user": "?1",
  "sec-fetch-dest": "document",
  "accept-language": "pl-PL",
};

/** A page as the visitor has it: its HTML, and what was done to it since it came. */
export interface OpenPage extends View {
  readonly address: URL;
  readonly status: number;
  readonly filled: Filled & { typed: Map<Element, string>; checked: Map<Element, boolean> };
  readonly toggled: Set<Element>;
  readonly html: string;
}

/** An answer that is saved, not shown. */
export interface Download {
  readonly name: string;
  readonly bytes: Buffer;
}

interface Ask {
  readonly address: URL;
  readonly method: "GET" | "POST";
  readonly body?: string;
  /** The page that it comes from; undefined: typed in. */
  readonly from: URL | undefined;
}

/** A request as it is sent; the names of headers are in lower case. */
export interface AskedFor {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** See the head of this file. One window. */
export class PlainBrowser {
  readonly origin: string;
  readonly #api: APIRequest;
  readonly #onAsk: (asked: AskedFor) => void;
  #context: APIRequestContext | undefined;
  #page: OpenPage | undefined;

  /** @param onAsk is told each request */
  constructor(api: APIRequest, origin: string, onAsk: (asked: AskedFor) => void = () => undefined) {
    this.#api = api;
    this.origin = origin;
    this.#onAsk = onAsk;
  }

  /** The present page. @throws Error if none is open */
  get page(): OpenPage {
    if (!this.#page) throw new Error("No page is open");
    return this.#page;
  }

  /** Opens an address as if it were typed. */
  async goto(path: string): Promise<void> {
    await this.#visit({ address: new URL(path, this.origin), method: "GET", from: undefined });
  }

  /** Asks for the present page again; one that answered a form is sent again by no test. */
  async reload(): Promise<void> {
    await this.#visit({ address: this.page.address, method: "GET", from: undefined });
  }

  /** Follows a link. One within the page moves there; one to a file saves it, and stays. */
  async follow(href: string): Promise<Download | undefined> {
    const address = new URL(href, this.page.address);
    if (href.startsWith("#")) {
      this.#page = {
        ...this.page,
        address,
        opened: { target: fragmentOf(address), toggled: this.page.toggled },
      };
      return undefined;
    }
    return this.#visit({ address, method: "GET", from: this.page.address });
  }

  /** Sends a form. */
  async send({ method, action, fields }: Sent): Promise<void> {
    const from = this.page.address;
    const address = new URL(action, from);
    if (action === "") address.hash = "";
    const body = new URLSearchParams(fields.map(([name, value]) => [name, value])).toString();
    if (method === "GET") address.search = body;
    await this.#visit({ address, method, from, ...(method === "POST" && { body }) });
  }

  /** The names and values of all cookies. */
  async cookies(): Promise<readonly { readonly name: string; readonly value: string }[]> {
    return (await (await this.#open()).storageState()).cookies;
  }

  /** Keeps only the cookies with such names, and takes further ones. */
  async replaceCookies(keep: (name: string) => boolean, more: ReadonlyMap<string, string>): Promise<void> {
    const before = (await (await this.#open()).storageState()).cookies;
    const { hostname, protocol } = new URL(this.origin);
    const added = [...more].map(([name, value]) => ({
      name,
      value,
      domain: hostname,
      path: "/",
      expires: -1,
      httpOnly: true,
      secure: protocol === "https:",
      sameSite: "Lax" as const,
    }));
    const kept = before.filter(({ name }) => keep(name) && !more.has(name));
    await this.close();
    this.#context = await this.#newContext([...kept, ...added]);
  }

  async close(): Promise<void> {
    await this.#context?.dispose();
    this.#context = undefined;
  }

  async #visit(first: Ask): Promise<Download | undefined> {
    let ask = first;
    for (let turn = 0; turn < MOST_REDIRECTS; turn += 1) {
      const answer = await this.#fetch(ask);
      await this.#clear(answer);
      const location = answer.headers()["location"];
      if (location === undefined || answer.status() < 300 || answer.status() > 399)
        return this.#arrive(ask, answer);
      ask = redirected(ask, new URL(location, ask.address), answer.status());
    }
    throw new Error(`Too many redirects at ${first.address}`);
  }

  async #fetch({ address, method, body, from }: Ask): Promise<APIResponse> {
    const context = await this.#open();
    const headers: Record<string, string> = {
      ...ALWAYS,
      "sec-fetch-site": from ? "same-origin" : "none",
      ...(from && { referer: refererOf(from) }),
      ...(body !== undefined && {
        "cache-control": "max-age=0",
        "content-type": "application/x-www-form-urlencoded",
        origin: this.origin,
      }),
    };
    this.#onAsk({ method, url: address.href, headers, body: body ?? "" });
    const data = body === undefined ? {} : { data: Buffer.from(body) };
    return context.fetch(address.href, { method, maxRedirects: 0, headers, ...data });
  }

  /** Chromium obeys `Clear-Site-Data: "cookies"` before it goes on. */
  async #clear(answer: APIResponse): Promise<void> {
    const cleared = answer.headers()["clear-site-data"] ?? "";
    if (/"cookies"|"\*"/.test(cleared)) await this.replaceCookies(() => false, new Map());
  }

  async #arrive({ address }: Ask, answer: APIResponse): Promise<Download | undefined> {
    const { "content-disposition": disposition = "", "content-type": type = "" } = answer.headers();
    if (disposition.startsWith("attachment") || !type.startsWith("text/html"))
      return { name: fileNameOf(disposition), bytes: await answer.body() };
    const html = await answer.text();
    const toggled = new Set<Element>();
    this.#page = {
      address,
      status: answer.status(),
      html,
      page: parsePage(html),
      opened: { target: fragmentOf(address), toggled },
      toggled,
      filled: { typed: new Map(), checked: new Map() },
    };
    return undefined;
  }

  async #open(): Promise<APIRequestContext> {
    return (this.#context ??= await this.#newContext([]));
  }

  #newContext(cookies: Awaited<ReturnType<APIRequestContext["storageState"]>>["cookies"]) {
    return this.#api.newContext({ ignoreHTTPSErrors: true, storageState: { cookies, origins: [] } });
  }
}

function redirected(ask: Ask, address: URL, status: number): Ask {
  if (address.hash === "") address.hash = ask.address.hash;
  const { from } = ask;
  return status === 307 || status === 308 ? { ...ask, address } : { address, method: "GET", from };
}

/** The address of a page without its fragment, as a browser names it to the same origin. */
function refererOf(from: URL): string {
  const referer = new URL(from);
  referer.hash = "";
  return referer.href;
}

function fragmentOf({ hash }: URL): string {
  return decodeURIComponent(hash.slice(1));
}

/** RFC 6266: the extended form first. */
function fileNameOf(disposition: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decodeURIComponent(extended);
  return /filename="?([^";]*)/.exec(disposition)?.[1] ?? "";
}
