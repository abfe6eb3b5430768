import {
  type Answer,
  type Done,
  type FormRefusal,
  isBarred,
  isWait,
  type Wait,
} from "~/contract/refusal.server";
import type { CallName, CallRequest, CallResponse, CallForAll } from "~/contract/calls.server";
import { announcementOn, type RequestContext, type RouteArgs } from "~/server/front-door/context.server";
import type { Translate } from "~/i18n/texts.server";
import { environment } from "~/platform/config/environment.server";
import type { Send } from "./backend-client/attached.server";
import { type RequestBackend, askWithoutSession, backendFor } from "./backend-client/backend-client.server";
import {
  hasConsent,
  type PortalCookie,
  readCookie,
  readPosted,
  type Redirect,
  redirectTo,
  setCookie,
  textsFor,
  waitResponse,
} from "./browser.server";
import {
  ACCOUNT_BARRED,
  EXPIRED_UNSAVED,
  type FlowDefinition,
  type NamedMemory,
  type Notice,
  SESSION_EXPIRED,
  STEP_LOST,
  isFlowOfAnotherTab,
  noticeFlow,
  readMemory,
  sealFlow,
  unsealFlow,
} from "./flow.server";

/** Browsers keep 4096 bytes of a cookie, including its name and attributes (RFC 6265bis §5.6). */
const MOST_FLOW_BYTES = 3900;

/** The outcome of a call that an action handles itself: success, or a refusal its form can show. */
export type CallOutcome<Value> = Done<Value> | FormRefusal;

/** One request to the portal, with everything a loader or an action needs to answer it. */
export class Visit {
  readonly request: Request;
  readonly context: RouteArgs["context"];
  readonly t: Translate;
  /** For calls whose 401, 409 or failure the caller handles. All others go through `call`. */
  readonly backend: RequestBackend;
  readonly #shared: Shared;
  readonly #heldFlow: unknown;

  /** Only `openVisit` calls this. */
  constructor({ request, context }: RouteArgs, t: Translate, shared: Shared, heldFlow: unknown) {
    this.request = request;
    this.context = context;
    this.t = t;
    this.backend = shared.backend;
    this.#shared = shared;
    this.#heldFlow = heldFlow;
  }

  /** The reference number of this request, and when it arrived (ms since 1970). */
  get reference(): { readonly id: string; readonly receivedAt: number } {
    const { requestId, receivedAt } = this.context.incoming;
    return { id: requestId, receivedAt };
  }

  /** Whether the page carries an announcement of the insurer. */
  get isAnnounced(): boolean {
    return announcementOn(this) !== undefined;
  }

  /**
   * The fields of the posted form. The body is read once, and up to its limit, whatever the head said.
   * @throws Response 413 when it is longer
   */
  posted(): Promise<URLSearchParams> {
    return (this.#shared.posted ??= readPosted(this.request, environment().limits.FORM_BODY_BYTES));
  }

  /** The visitor who makes the request. The backend is asked once, however many loaders need the answer. */
  visitor(): Promise<Visitor> {
    return (this.#shared.visitor ??= recognise(this, this.backend));
  }

  /**
   * Makes a call. An outcome that no form can show throws a redirect (specification §8, HTTP): 401 to the start,
   * 409 to the code, any other failure to the error page.
   */
  async call<Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
  ): Promise<CallOutcome<CallResponse<Name>>> {
    return this.redirectOnFailure(await this.backend.call(name, payload));
  }

  /** Like `call`, for an answer already received. */
  async redirectOnFailure<Value>(answer: Answer<Value>): Promise<CallOutcome<Value>> {
    switch (answer.kind) {
      case "signed-out":
        if (this.backend.hasSession()) await this.sayExpired();
        else this.forgetFlow();
        throw this.redirectTo("/home");
      case "not-activated":
        throw this.redirectTo("/home/mfa");
      case "not-found":
      case "failed":
        throw await this.toErrorPage();
      default:
        // A form shows this in a dialog; a page can't.
        if (this.request.method !== "POST" && isBarred(answer)) throw await this.toStartOfBarred();
        return answer;
    }
  }

  /** A locked account "sends the user to the public page" (specification §6); so does an expired or disabled one. */
  async toStartOfBarred(): Promise<Redirect> {
    await this.signOut();
    await this.leaveNotice(ACCOUNT_BARRED);
    return this.redirectTo("/home");
  }

  /** This flow's memory, if the browser is in it. */
  flow<Memory>(flow: FlowDefinition<Memory>): Memory | undefined {
    return readMemory(flow, this.#heldFlow);
  }

  /**
   * Like `flow`, for a screen in the middle of one. Redirects to the first screen if the earlier steps are missing
   * (docs/screens.md, "Who may see what"). If a step in progress has expired, that screen says so, unless another tab
   * has started a flow since.
   */
  async requireFlow<Memory>(flow: FlowDefinition<Memory>): Promise<Memory> {
    const memory = this.flow(flow);
    if (memory) return memory;
    if (this.request.method !== "POST") this.leaveFlow(flow);
    else if (!isFlowOfAnotherTab(flow, this.#heldFlow)) await this.leaveNotice(STEP_LOST);
    throw this.redirectTo(flow.startsAt);
  }

  /**
   * Sets the flow cookie with the answer. Replaces any other flow. A memory too long for a browser to keep is dropped
   * at once: fields of thousands of letters would make a request head too long for proxies (S53).
   */
  async remember<Memory extends object>({ name }: FlowDefinition<Memory>, memory: Memory): Promise<void> {
    const sealed = await sealFlow({ ...memory, name } satisfies NamedMemory, this.backend.browser());
    this.setCookie("flow", sealed.length > MOST_FLOW_BYTES ? undefined : sealed);
  }

  /** Forgets this flow, but not a flow that another tab has started since. */
  leaveFlow(flow: NamedMemory): void {
    if (!isFlowOfAnotherTab(flow, this.#heldFlow)) this.forgetFlow();
  }

  /** Removes the flow cookie with the answer. */
  forgetFlow(): void {
    this.setCookie("flow", undefined);
  }

  /** Leaves a notice for the next screen to show once. */
  leaveNotice(notice: Notice): Promise<void> {
    return this.remember(noticeFlow, notice);
  }

  /** Says on the next screen that the session has ended, and of a change that it wasn't made. */
  sayExpired(): Promise<void> {
    const { method, url } = this.request;
    const isChange = method === "POST" && new URL(url).pathname !== "/home/mfa";
    return this.leaveNotice(isChange ? EXPIRED_UNSAVED : SESSION_EXPIRED);
  }

  /** The notice left by the previous screen, if any. */
  takeNotice(): Notice | undefined {
    const notice = this.flow(noticeFlow);
    if (notice) this.forgetFlow();
    return notice;
  }

  /** Sets one of the portal's cookies with the answer; without a value, removes it. */
  setCookie(cookie: PortalCookie, value: string | undefined): void {
    setCookie(this.context.incoming.setCookies, cookie, value);
  }

  redirectTo(path: string): Redirect {
    return redirectTo(this.request, path);
  }

  /** Ends the session and any flow in progress. */
  async signOut(): Promise<void> {
    this.forgetFlow();
    await this.backend.signOut();
  }

  /** Signs out because the customer asked for it: the browser also forgets what it stored of the portal (S56). */
  async signOutAsAsked(): Promise<void> {
    if (this.backend.hasSession()) this.context.incoming.clearsBrowser = true;
    await this.signOut();
  }

  /**
   * "Any other failure" (specification §8): a POST ends the session, and the error page follows. A GET changes nothing.
   */
  async toErrorPage(): Promise<Redirect> {
    if (this.request.method !== "GET" && this.request.method !== "HEAD") await this.signOut();
    return this.redirectTo("/service");
  }
}

/** The state that all loaders and actions of one request share, because each may get its own `Request` object. */
interface Shared {
  readonly backend: RequestBackend;
  readonly heldFlow: Promise<unknown>;
  visitor?: Promise<Visitor>;
  posted?: Promise<URLSearchParams>;
}

/** The open visits. */
const visits = new WeakMap<RequestContext, Shared>();

/** Opens the visit of a request, for any visitor. Screens go through a gate instead (gate.server.ts). */
export async function openVisit(args: RouteArgs): Promise<Visit> {
  const known = visits.get(args.context.incoming);
  const shared = known ?? share(args.request, args.context.incoming);
  return new Visit(args, await textsFor(args.request), shared, await shared.heldFlow);
}

/** Sends all calls of this request's loaders and actions to `send`. Must run before they make any. */
export function replaceBackend({ request, context }: RouteArgs, send: Send): void {
  share(request, context.incoming, send);
}

function share(request: Request, context: RequestContext, send?: Send): Shared {
  const sealed = readCookie(request, "flow");
  const backend = backendFor(request, context, send);
  const shared = {
    backend,
    heldFlow: sealed ? unsealFlow(sealed, backend.browser()) : Promise.resolve(undefined),
  };
  visits.set(context, shared);
  return shared;
}

/** The signed-in customer, as the header and the screens show them. */
export interface CustomerInfo {
  readonly name: string;
  readonly username: string;
}

/**
 * The visitor who makes a request (specification §3 "Auth status values", and `pending`: the password was right, the sign-in
 * code is missing). `isBarred`: there is a session, but its account has been locked, has expired or was disabled.
 * `unavailable`: the backend could not say.
 */
export type Visitor =
  | { readonly status: "missingCookie" }
  | { readonly status: "notAuthenticated"; readonly isBarred?: boolean }
  | { readonly status: "pending"; readonly customer: CustomerInfo }
  | { readonly status: "authenticated"; readonly customer: CustomerInfo }
  | { readonly status: "unavailable"; readonly wait?: Wait };

/**
 * Asks the backend for the cookie of a browser that has none, before a cached page is sent.
 * @param cookies the visitor's `Cookie` header
 * @returns whether to show the page; false if the backend asks the visitor to wait, which the app then shows
 */
export async function greetBrowser(cookies: string | undefined, context: RequestContext): Promise<boolean> {
  const info = await askWithoutSession(cookies, context);
  if (!isWait(info)) return true;
  context.askedToWait = info;
  return false;
}

/** Asks the backend who makes a request, unless it has already asked this visitor to wait. */
export async function recognise({ request, context }: RouteArgs, backend: RequestBackend): Promise<Visitor> {
  if (!hasConsent(request)) return { status: "missingCookie" };
  const { askedToWait: wait } = context.incoming;
  if (wait) return { status: "unavailable", wait };
  const [info, init] = await Promise.all([
    // Even without a session: the answer sets the cookie that binds codes to this browser.
    backend.call("userInfo", {}),
    backend.hasSession() ? backend.call("userInit", {}) : undefined,
  ]);
  if (isWait(info)) return { status: "unavailable", wait: info };
  if (info.kind === "signed-out") return { status: "notAuthenticated" };
  if (isBarred(info) || (init && isBarred(init))) return { status: "notAuthenticated", isBarred: true };
  if (info.kind !== "done") return { status: "unavailable" };
  switch (init?.kind) {
    case "done":
      return { status: "authenticated", customer: info.value };
    case "not-activated":
      return { status: "pending", customer: info.value };
    case "rate-limited":
    case "busy":
    case "unavailable":
      return { status: "unavailable", wait: init };
    case "signed-out":
    case undefined:
      return { status: "notAuthenticated" };
    default:
      return { status: "unavailable" };
  }
}

/** Loads the data of a signed-in screen. Failures redirect, as for any call (specification §8, HTTP). */
export async function loadFromBackend<Name extends CallForAll>(
  visit: Visit,
  name: Name,
): Promise<CallResponse<Name>> {
  return valueToShow(visit, await visit.backend.call<Name>(name, {} as CallRequest<Name>));
}

/** Like `loadFromBackend`, for an answer already received. One failure among parallel calls is enough to redirect. */
export async function valueToShow<Value>(visit: Visit, answer: Answer<Value>): Promise<Value> {
  const outcome = await visit.redirectOnFailure(answer);
  if (outcome.kind === "done") return outcome.value;
  if (isWait(outcome)) throw waitResponse(visit.t, outcome);
  // A screen without a form has no way to show a catalogue refusal.
  throw await visit.toErrorPage();
}

/** The value of an optional call; undefined if the backend doesn't offer it, "unavailable" if it has just failed. */
export type Offered<Value> = Value | "unavailable" | undefined;

/**
 * Like `valueToShow`, for an optional call (contract: customer area). The screen is shown without the value, too,
 * unless the answer is about the session or the account.
 */
export async function valueIfOffered<Value>(visit: Visit, answer: Answer<Value>): Promise<Offered<Value>> {
  if (answer.kind === "not-found") return undefined;
  if (answer.kind === "failed") return "unavailable";
  const outcome = await visit.redirectOnFailure(answer);
  return outcome.kind === "done" ? outcome.value : "unavailable";
}
