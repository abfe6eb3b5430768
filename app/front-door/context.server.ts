import { AsyncLocalStorage } from "node:async_hooks";
import type { RejectionStatus } from "./rejection";

/** What belongs to one request, from its head to the end of its answer. */
export interface RequestContext {
  /** The reference number that people read out on the telephone: a trusted proxy's, if well formed, else random. */
  readonly requestId: string;
  /** The one address that is believed (S60). */
  readonly clientAddress: string;
  /** When the head was complete, in ms since 1970. */
  readonly receivedAt: number;
  /** Set-Cookie lines that the answer will carry, whatever becomes of it: a document, data, a redirect, a refusal. */
  readonly setCookies: string[];
  /** What is worked out once per request, however many loaders ask. */
  readonly memo: Map<unknown, unknown>;
  /** There where the front door refused the request; /refused/:code answers by it. */
  readonly refusal?: { readonly status: RejectionStatus; readonly api: boolean };
}

/** On `globalThis`, so that code which a development server has loaded twice agrees on where to look. */
const KEY = Symbol.for("portal.request-context");
const home = globalThis as { [KEY]?: AsyncLocalStorage<RequestContext> };
const storage = home[KEY] ?? new AsyncLocalStorage<RequestContext>();
home[KEY] = storage;

/**
 * The context of the request that is being answered.
 * @throws Error outside of a request: who asks there has lost its way, or the front door is not mounted
 */
export function requestContext(): RequestContext {
  const context = storage.getStore();
  if (!context) throw new Error("There is no request here: the front door has not let one in");
  return context;
}

/** The id of the request that is being answered; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return storage.getStore()?.requestId;
}

/** From here to the end of the current call, and of everything asynchronous that it starts, `context` is the context. */
export function enterContext(context: RequestContext): void {
  storage.enterWith(context);
}

/** Runs work as if it answered a request. */
export function runInContext<T>(context: RequestContext, work: () => T): T {
  return storage.run(context, work);
}
