import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptsEncoding } from "~/front-door/accepts-encoding";
import { contextOf, type RequestContext } from "~/front-door/context.server";
import { newNonce, type Slots } from "~/front-door/slots.server";
import type { Language } from "~/i18n/languages";
import { timeInPoland, yearInPoland } from "~/i18n/times.server";
import { environment } from "~/platform/config/environment.server";
import { log } from "~/platform/telemetry/log.server";
import { readPlainVisit, type PlainVisit } from "~/visit/plain-visit.server";
import { greetBrowser } from "~/visit/visitor.server";
import { areHarmless } from "./parts";
import { renderPage, type KeptPage, type PageKey } from "./render-page.server";

/** Which screens may be kept, by path, and for whom they look the same. */
type KeptScreens = Readonly<Record<string, "consented" | "everybody">>;

const packForGzip = promisify(gzip);

/**
 * Answers from memory: screens that are the same for all signed-out visitors, and rejection pages. If a page is not
 * kept yet, the app answers, and the page is rendered for the next visitor. A page depends on path, language and
 * consent, and there are few of each, so the memory can't grow. It is emptied at the turn of the year, because pages
 * show the year.
 */
export class KeptPages {
  readonly #screens: KeptScreens;
  /** By their keys; undefined while it is rendered, and if it can't be kept. */
  readonly #pages = new Map<string, KeptPage | undefined>();
  #year = "";

  constructor(screens: KeptScreens) {
    this.#screens = screens;
  }

  /**
   * Answers a request if its page is kept, and gives a new browser its cookie.
   * @returns whether it did; if not, the app has to
   */
  answer(request: IncomingMessage, response: ServerResponse): boolean | Promise<boolean> {
    const context = contextOf(request);
    const visit = context.rejection
      ? readRejectedVisit(request, context.rejection)
      : this.#readVisit(request);
    if (!visit) return false;
    const page = this.#find(visit, context);
    if (!page) return false;
    const values = valuesFor(request, context, visit.language);
    if (!areHarmless(values)) return false;
    if (!visit.isFirst) return send(page, values, request, response);
    return greetBrowser(request.headers.cookie, context).then(
      (isWelcome) => isWelcome && send(page, values, request, response),
    );
  }

  #readVisit({ method, url = "", headers }: IncomingMessage): KeptVisit | undefined {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const sameFor = Object.hasOwn(this.#screens, url) ? this.#screens[url] : undefined;
    const visit = sameFor && readPlainVisit(headers.cookie);
    if (!visit || (sameFor === "consented" && !visit.consent)) return undefined;
    return { ...visit, path: url, rejection: undefined };
  }

  #find(key: PageKey, { receivedAt }: RequestContext): KeptPage | undefined {
    const year = yearInPoland(receivedAt);
    if (year !== this.#year) this.#pages.clear();
    this.#year = year;
    const id = `${key.path} ${key.language} ${key.consent}`;
    if (!this.#pages.has(id)) {
      this.#pages.set(id, undefined);
      void this.#keep(id, key);
    }
    return this.#pages.get(id);
  }

  async #keep(id: string, key: PageKey): Promise<void> {
    try {
      this.#pages.set(id, await renderPage(key));
    } catch (error) {
      // Tried again at the next asking.
      this.#pages.delete(id);
      log().error({ err: error }, "unexpected failure");
    }
  }
}

/** A visit whose page may be kept. */
interface KeptVisit extends PageKey, PlainVisit {}

/**
 * Reads a rejected request, which the front door has made into one for the rejection page, with no cookie but the
 * language.
 */
function readRejectedVisit(
  { url = "", headers }: IncomingMessage,
  rejection: NonNullable<RequestContext["rejection"]>,
): KeptVisit | undefined {
  const visit = rejection.api ? undefined : readPlainVisit(headers.cookie);
  return visit && { ...visit, path: url, rejection };
}

/** What this answer fills in. */
function valuesFor(
  { headers }: IncomingMessage,
  { requestId, receivedAt }: RequestContext,
  language: Language,
): Slots {
  return {
    nonce: newNonce(),
    reference: requestId,
    time: timeInPoland({ language }, receivedAt),
    // With a public origin, pages contain that, and no slot.
    host: environment().PUBLIC_ORIGIN === undefined ? new URL(`http://${headers.host ?? ""}`).host : "",
  };
}

function send(
  { status, contentType, policy, template }: KeptPage,
  values: Slots,
  { headers }: IncomingMessage,
  response: ServerResponse,
): boolean | Promise<boolean> {
  const write = (encoding: "br" | "gzip" | undefined, body: Buffer) => {
    response.writeHead(status, {
      "Content-Type": contentType,
      "Content-Security-Policy": policy(values.nonce),
      Vary: "Accept-Encoding",
      ...(encoding && { "Content-Encoding": encoding }),
      "Content-Length": body.length,
    });
    response.end(body);
    return true;
  };
  const accepted = headers["accept-encoding"];
  if (acceptsEncoding(accepted, "br")) {
    const packed = template.pack(values);
    return Buffer.isBuffer(packed) ? write("br", packed) : packed.then((body) => write("br", body));
  }
  const page = template.fill(values);
  if (!acceptsEncoding(accepted, "gzip")) return write(undefined, page);
  return packForGzip(page).then((body) => write("gzip", body));
}
