import type { RequestHandler } from "@remix-run/node";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Announcement } from "~/contract/announcements.server";
import type { AnswerMessage } from "~/contract/messages.server";
import { currentAnnouncement, type RequestContext } from "~/server/front-door/context.server";
import type { Language } from "~/i18n/languages";
import { yearInPoland } from "~/i18n/times.server";
import { log } from "~/platform/telemetry/log.server";
import { type PlainVisit, cookieName, readPlainVisit } from "~/visit/browser.server";
import { greetBrowser, replaceBackend } from "~/visit/visit.server";

/** The screens that may be cached, by path, and for whom they are the same. */
type CachedScreens = Readonly<Record<string, "consented" | "everybody">>;

/** Everything that a cached page depends on. */
interface PageKey {
  readonly path: string;
  readonly language: Language;
  /** Whether the visitor has accepted cookies. */
  readonly consent: boolean;
}

/** A page ready to be sent. */
interface CachedPage {
  readonly contentType: string;
  /** Its content security policy. */
  readonly policy: string;
  readonly bodies: { readonly plain: Buffer; readonly br: Buffer; readonly gzip: Buffer };
}

/**
 * Caches the screens that are the same for all signed-out visitors (docs/decisions/small.md#page-cache). If a page is
 * not cached yet, the app answers, and the page is rendered for the next visitor. A page depends on path, language and
 * consent, and there are few of each, so the cache is bounded. It is cleared at the turn of the year, and when an
 * announcement begins, changes or ends, because pages show both.
 */
export class PageCache {
  readonly #screens: CachedScreens;
  readonly #app: RequestHandler;
  /** By their keys; undefined while a page is being rendered, and if it can't be cached. */
  #pages = new Map<string, CachedPage | undefined>();
  #year = "";
  #announcement: Announcement | undefined;

  /** @param app renders the screens */
  constructor(screens: CachedScreens, app: RequestHandler) {
    this.#screens = screens;
    this.#app = app;
  }

  /**
   * Answers a request if its page is cached, and gives a new browser its cookie.
   * @returns whether it did; if not, the app has to
   */
  async answer(
    request: IncomingMessage,
    response: ServerResponse,
    context: RequestContext,
  ): Promise<boolean> {
    const visit = this.#readVisit(request);
    if (!visit) return false;
    const page = this.#find(visit, context);
    if (!page) return false;
    if (visit.isFirst && !(await greetBrowser(request.headers.cookie, context))) return false;
    send(page, request, response);
    return true;
  }

  #readVisit({ url = "", headers }: IncomingMessage): (PageKey & PlainVisit) | undefined {
    const sameFor = Object.hasOwn(this.#screens, url) ? this.#screens[url] : undefined;
    const visit = sameFor && readPlainVisit(headers.cookie);
    if (!visit || (sameFor === "consented" && !visit.consent)) return undefined;
    return { ...visit, path: url };
  }

  #find(key: PageKey, { receivedAt }: RequestContext): CachedPage | undefined {
    const year = yearInPoland(receivedAt);
    const announcement = currentAnnouncement(receivedAt);
    if (year !== this.#year || announcement !== this.#announcement) this.#pages = new Map();
    this.#year = year;
    this.#announcement = announcement;
    const id = `${key.path} ${key.language} ${key.consent}`;
    if (!this.#pages.has(id)) {
      this.#pages.set(id, undefined);
      void this.#fill(id, key);
    }
    return this.#pages.get(id);
  }

  async #fill(id: string, key: PageKey): Promise<void> {
    // If the cache is cleared during the rendering, the page is dropped with it.
    const pages = this.#pages;
    try {
      pages.set(id, await renderPage(key, this.#app));
    } catch (error) {
      // The next request retries.
      pages.delete(id);
      log().error({ err: error }, "unexpected failure");
    }
  }
}

/**
 * Renders a page for a visitor made up from the key alone, so that it can't contain anything of a real one.
 * @returns undefined if the page is not the same for everybody after all: it redirects or sets cookies
 */
async function renderPage(key: PageKey, app: RequestHandler): Promise<CachedPage | undefined> {
  const incoming: RequestContext = {
    requestId: "kept-page",
    clientAddress: "127.0.0.1",
    isForwarded: false,
    receivedAt: Date.now(),
    setCookies: [],
  };
  const request = new Request(`http://localhost${key.path}`, { headers: { Cookie: cookiesOf(key) } });
  const context = { incoming, app };
  replaceBackend({ request, context }, answerSignedOut);
  const answer = await app(request, context);
  const policy = answer.headers.get("Content-Security-Policy");
  if (answer.status !== 200 || incoming.setCookies.length > 0 || policy === null) return undefined;
  return {
    contentType: answer.headers.get("Content-Type") ?? "",
    policy,
    bodies: await packed(Buffer.from(await answer.arrayBuffer())),
  };
}

function cookiesOf({ language, consent }: PageKey): string {
  const chosen = `${cookieName("language")}=${language}`;
  return consent ? `${chosen}; ${cookieName("consent")}=true` : chosen;
}

function answerSignedOut(): Promise<AnswerMessage> {
  return Promise.resolve({ status: 401, headers: {}, setCookies: [], body: "{}" });
}

const packWithBrotli = promisify(brotliCompress);
const packWithGzip = promisify(gzip);

/** Compresses a page once, as much as possible. */
async function packed(plain: Buffer): Promise<CachedPage["bodies"]> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [br, zipped] = await Promise.all([
    packWithBrotli(plain, { params }),
    packWithGzip(plain, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return { plain, br, gzip: zipped };
}

function send(
  { contentType, policy, bodies }: CachedPage,
  { headers }: IncomingMessage,
  response: ServerResponse,
): void {
  const accepted = headers["accept-encoding"];
  const encoding = (["br", "gzip"] as const).find((coding) => acceptsEncoding(accepted, coding));
  const body = bodies[encoding ?? "plain"];
  response.writeHead(200, {
    "Content-Type": contentType,
    "Content-Security-Policy": policy,
    Vary: "Accept-Encoding",
    ...(encoding && { "Content-Encoding": encoding }),
    "Content-Length": body.length,
  });
  response.end(body);
}

/** Matches a coding in a list of encodings, unless `q=0` rules it out (RFC 9110 §12.5.3). */
const LISTED = {
  br: listed("br"),
  gzip: listed("gzip"),
};

function listed(coding: string): RegExp {
  return new RegExp(`(?:^|,)\\s*${coding}\\s*(?:$|,|;\\s*q=(?!0(?:\\.0*)?\\s*(?:$|,)))`, "i");
}

/** Whether an `Accept-Encoding` header accepts a coding. */
function acceptsEncoding(
  header: string | readonly string[] | undefined,
  coding: keyof typeof LISTED,
): boolean {
  return header !== undefined && LISTED[coding].test(header.toString());
}
