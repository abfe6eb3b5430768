import { AsyncLocalStorage } from "node:async_hooks";
import type { RejectionStatus } from "./rejection";
import type { Slots } from "./slots.server";

/** State of one request, from its head to the end of its answer. */
export interface RequestContext {
  /** The reference number that people read out on the phone: from a trusted proxy if well formed, else random. */
  readonly requestId: string;
  /** The only client address we trust (S60). */
  readonly clientAddress: string;
  /** Whether a trusted proxy, or another portal, passed the request on. */
  readonly isForwarded: boolean;
  /** When the head was complete, in ms since 1970. */
  readonly receivedAt: number;
  /** Set-Cookie lines for the answer, whatever kind it is: a document, data, a redirect, a refusal. */
  readonly setCookies: string[];
  /** Values computed once per request, however many loaders ask. */
  readonly memo: Map<unknown, unknown>;
  /** Set when the front door rejected the request; /refused/:code builds its answer from it. */
  readonly rejection?: { readonly status: RejectionStatus; readonly api: boolean };
  /** The request is not a navigation, so its answer sets no cookies. */
  readonly asStranger?: boolean;
  /** A refused form of somebody who is signed out: the Back button may show it again (F9). */
  backMayShow?: boolean;
  /** Set when a customer signs out: the browser forgets what it stored of the portal, except cookies (S56). */
  clearsBrowser?: boolean;
  /** While a page is rendered to be kept: the marks to write where each answer has values of its own. */
  readonly slots?: Slots;
}

/** On `globalThis`: a development server may load this module twice, and both copies must share it. */
const KEY = Symbol.for("portal.request-context");
const home = globalThis as { [KEY]?: AsyncLocalStorage<RequestContext> };
const storage = home[KEY] ?? new AsyncLocalStorage<RequestContext>();
home[KEY] = storage;

/**
 * The context of the current request.
 * @throws Error outside a request, or when the front door is not mounted
 */
export function requestContext(): RequestContext {
  const context = storage.getStore();
  if (!context) throw new Error("requestContext() called outside a request, or no front door mounted");
  return context;
}

/** The id of the current request; undefined outside one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** The marks of a page that is rendered to be kept; undefined for any other page. */
export function currentSlots(): Slots | undefined {
  return storage.getStore()?.slots;
}

/** Makes `context` current for the rest of this call and everything asynchronous it starts. */
export function enterContext(context: RequestContext): void {
  storage.enterWith(context);
}

/** Runs `work` with `context` as the current request's. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
