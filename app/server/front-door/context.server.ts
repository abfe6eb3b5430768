import type { AppLoadContext, RequestHandler } from "@remix-run/node";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { Announced, Announcement, Maintenance } from "~/contract/announcements.server";
import type { Wait } from "~/contract/refusal.server";
import type { Pass } from "./decide";
import type { FrontDoorRules, RejectionStatus } from "./policy";

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
  /** Set when the front door rejected the request; /refused/:code builds its answer from it. */
  readonly rejection?: { readonly status: RejectionStatus; readonly api: boolean };
  /** Set while the portal is closed; /refused/503 builds its answer from it. */
  readonly maintenance?: Maintenance & {
    readonly api: boolean;
    /** Whether the request was a write; nothing of it is saved. */
    readonly isWrite: boolean;
  };
  /** Set if the request is not a navigation: its answer sets no cookies. */
  readonly isAnonymous?: boolean;
  /** Set by the gallery: the announcement of its page, in place of the operators'. */
  announces?: { readonly announcement: Announcement | undefined };
  /** The backend's rate limit or unavailability, if known before the app is called. */
  askedToWait?: Wait;
  /** Set when the challenge of a passkey was answered: the page that follows needs a new one. */
  challengeUsed?: boolean;
  /** Set for a signed-out visitor's refused form: the Back button may show it again (F9). */
  backMayShow?: boolean;
  /** Set when a customer signs out: the browser forgets what it stored of the portal, except cookies (S56). */
  clearsBrowser?: boolean;
}

/** The arguments of every loader and action: the request, and its state under `context.incoming`. */
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

let announced: Announced = {};

/**
 * Stores what operators have announced, each time it is read. If nothing has changed, the object stays the same, so
 * that cached pages are dropped only when they change.
 */
export function setAnnounced(next: Announced): void {
  if (JSON.stringify(next) !== JSON.stringify(announced)) announced = next;
}

/** The announcement that pages show now, if any. @param now ms since 1970 */
export function currentAnnouncement(now: number): Announcement | undefined {
  const { announcement } = announced;
  return announcement && announcement.until > now ? announcement : undefined;
}

/** The end of the current maintenance, in ms since 1970; undefined if there is none. */
export function maintenanceUntil(now: number): number | undefined {
  const { maintenance } = announced;
  return maintenance && maintenance.until > now ? maintenance.until : undefined;
}

/** The announcement that the page of a request shows, if any. */
export function announcementOn({
  context: {
    incoming: { announces, receivedAt },
  },
}: Pick<RouteArgs, "context">): Announcement | undefined {
  return announces ? announces.announcement : currentAnnouncement(receivedAt);
}

/** Removes the headers that the app must not read, and sets the headers that it may trust. */
export function hideFromApp(
  request: IncomingMessage,
  { target, isAnonymous }: Pass,
  context: RequestContext,
): void {
  const { headers } = request;
  if (isAnonymous === true) delete headers.cookie;
  // Headers that an app might trust. Only the decision may read them. Without an Origin, Remix's own check, which
  // answers with a bare 500, never fires.
  delete headers.forwarded;
  delete headers["x-forwarded-host"];
  delete headers["x-forwarded-proto"];
  delete headers["x-real-ip"];
  delete headers.origin;
  // Our files are small and sent whole. Express would answer these with a 412 or 416 page of its own (S112).
  delete headers.range;
  delete headers["if-range"];
  delete headers["if-match"];
  delete headers["if-unmodified-since"];
  // RFC 9110 §10.1.1: an unknown expectation may be ignored; Node would answer it in English.
  if (headers.expect !== undefined && headers.expect.toLowerCase() !== "100-continue") delete headers.expect;
  if (!context.isForwarded) delete headers["x-device-name"];
  headers["x-forwarded-for"] = context.clientAddress;
  headers["x-request-id"] = context.requestId;
  headers["x-received-at"] = String(context.receivedAt);
  if (target !== undefined) request.url = target;
}

/**
 * Makes the request for the page of a rejection, or of maintenance. It keeps only the language cookie and the headers
 * that shape this page, so no route sees the address or the body.
 */
export function refusalRequest(
  headers: IncomingHttpHeaders,
  { status }: { readonly status: RejectionStatus | 503 },
  context: RequestContext,
  { publicOrigin, languageCookie }: FrontDoorRules,
): Request {
  const language = new RegExp(`(?<=^|; )${languageCookie}=[a-z]{2}(?=;|$)`).exec(headers.cookie ?? "")?.[0];
  const { accept, "user-agent": agent } = headers;
  return new Request(new URL(`/refused/${status}`, publicOrigin ?? "http://localhost"), {
    headers: {
      ...(accept !== undefined && { accept }),
      ...(agent !== undefined && { "user-agent": agent }),
      ...(language !== undefined && { cookie: language }),
      "x-forwarded-for": context.clientAddress,
      "x-request-id": context.requestId,
    },
  });
}
