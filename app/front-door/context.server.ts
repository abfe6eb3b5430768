import type { AppLoadContext, RequestHandler } from "@remix-run/node";
import type { EarlierPage } from "./earlier-page";
import type { RejectionStatus } from "./rejection";

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
  /** Set-Cookie lines for any kind of answer: a document, data, a redirect, a refusal. */
  readonly setCookies: string[];
  /** Values computed once per request, however many loaders ask. */
  readonly memo: Map<unknown, unknown>;
  /** Set when the front door rejected the request; /refused/:code builds its answer from it. */
  readonly rejection?: {
    readonly status: RejectionStatus;
    readonly api: boolean;
    readonly earlierPage?: EarlierPage | undefined;
  };
  /** Set if the request is not a navigation: its answer sets no cookies. */
  readonly asStranger?: boolean;
  /** Set for a signed-out visitor's refused form: the Back button may show it again (F9). */
  backMayShow?: boolean;
  /** Set when a customer signs out: the browser forgets what it stored of the portal, except cookies (S56). */
  clearsBrowser?: boolean;
}

/** What every loader and action gets: the request, and its state under `context.incoming`. */
export interface RouteArgs {
  readonly request: Request;
  readonly context: AppLoadContext;
}

declare module "@remix-run/node" {
  interface AppLoadContext {
    /** The state of this request; the same object for all its loaders and actions. */
    readonly incoming: RequestContext;
    /** The app itself, for a route that shows another one's page (the gallery). */
    readonly app: RequestHandler;
    /** Makes a signal that is aborted when the client has left or the answer has been sent. */
    readonly left?: () => AbortSignal;
  }
}
