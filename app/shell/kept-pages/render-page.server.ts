import { randomBytes } from "node:crypto";
import type { AnswerMessage } from "~/contract/messages.server";
import type { RequestContext } from "~/front-door/context.server";
import type { Slots } from "~/front-door/slots.server";
import type { Language } from "~/i18n/languages";
import { portalRequestHandler } from "~/front-door/portal-request-handler.server";
import { cookieName } from "~/visit/cookies.server";
import { replaceBackend } from "~/visit/visit.server";
import { PageTemplate } from "./page-template.server";

/** Everything that a kept page depends on. */
export interface PageKey {
  readonly path: string;
  readonly language: Language;
  /** Whether the visitor has accepted cookies. */
  readonly consent: boolean;
  /** For the page of a rejection. */
  readonly rejection: RequestContext["rejection"];
}

/** A page ready to be sent. */
export interface KeptPage {
  readonly status: number;
  readonly contentType: string;
  /** The content security policy, with the nonce of this answer. */
  readonly policy: (nonce: string) => string;
  readonly template: PageTemplate;
}

/**
 * Renders a page for a visitor made up from the key alone, so that it can't contain anything of a real one. Marks stand
 * where each answer has its own values.
 * @returns undefined if the page is not the same for everybody after all: it redirects or sets cookies
 */
export async function renderPage(key: PageKey): Promise<KeptPage | undefined> {
  const marks = makeMarks();
  const incoming: RequestContext = {
    requestId: marks.reference,
    clientAddress: "127.0.0.1",
    isForwarded: false,
    receivedAt: Date.now(),
    setCookies: [],
    memo: new Map(),
    slots: marks,
    ...(key.rejection && { rejection: key.rejection }),
  };
  const request = new Request(`http://${marks.host}${key.path}`, {
    headers: { Cookie: cookiesOf(key), "X-Request-Id": marks.reference },
  });
  const app = await portalRequestHandler();
  const context = { incoming };
  replaceBackend({ request, context }, answerSignedOut);
  const answer = await app(request, context);
  const isWhole = answer.status === (key.rejection?.status ?? 200) && incoming.setCookies.length === 0;
  const policy = answer.headers.get("Content-Security-Policy");
  if (!isWhole || policy === null) return undefined;
  return {
    status: answer.status,
    contentType: answer.headers.get("Content-Type") ?? "",
    policy: (nonce) => policy.replace(marks.nonce, () => nonce),
    template: new PageTemplate(await answer.text(), marks),
  };
}

function cookiesOf({ language, consent }: PageKey): string {
  const chosen = `${cookieName("language")}=${language}`;
  return consent ? `${chosen}; ${cookieName("consent")}=true` : chosen;
}

function answerSignedOut(): Promise<AnswerMessage> {
  return Promise.resolve({ status: 401, headers: {}, setCookies: [], body: "{}" });
}

/** Makes marks in lower case, as in a host, with letters at both ends, so that no parser takes them for numbers. */
function makeMarks(): Slots {
  const mark = () => `m${randomBytes(15).toString("hex")}m`;
  return { nonce: mark(), reference: mark(), time: mark(), host: mark() };
}
