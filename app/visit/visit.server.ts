import type { Answer, Done } from "~/contract/answer";
import type { CallName, CallRequest, CallResponse } from "~/contract/calls.server";
import type { FormRefusal } from "~/contract/refusal.server";
import type { RouteArgs, RequestContext } from "~/front-door/context.server";
import type { Translate } from "~/i18n/texts.server";
import type { Send } from "./backend-client/attached.server";
import { backendFor, type RequestBackend } from "./backend-client/backend-client.server";
import { readCookie, setCookie, type PortalCookie } from "./cookies.server";
import { readMemory, sealFlow, unsealFlow, type FlowDefinition, type NamedMemory } from "./flow.server";
import { textsFor } from "./language.server";
import { isBarred } from "~/contract/refusal.server";
import { ACCOUNT_BARRED, noticeFlow, SESSION_EXPIRED, STEP_LOST, type Notice } from "./notice.server";
import { redirectTo, type Redirect } from "./redirect.server";
import { recognise, type Visitor } from "./visitor.server";

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

  /** Who makes the request. The backend is asked once, however many loaders need the answer. */
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
        if (this.backend.hasSession()) await this.leaveNotice(SESSION_EXPIRED);
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

  /** What this flow remembers, if the browser is in it. */
  flow<Memory>(flow: FlowDefinition<Memory>): Memory | undefined {
    return readMemory(flow, this.#heldFlow);
  }

  /**
   * Like `flow`, for a screen in the middle of one. Redirects to the first screen if the earlier steps are missing
   * (docs/screens.md, "Who may see what"). If a step in progress has expired, that screen says so.
   */
  async requireFlow<Memory>(flow: FlowDefinition<Memory>): Promise<Memory> {
    const memory = this.flow(flow);
    if (memory) return memory;
    if (this.request.method === "POST") await this.leaveNotice(STEP_LOST);
    else this.forgetFlow();
    throw this.redirectTo(flow.startsAt);
  }

  /**
   * Sets the flow cookie with the answer. Replaces any other flow. A memory too long for a browser to keep is dropped
   * at once: fields of thousands of letters would make a head that no proxy passes on (S53).
   */
  async remember<Memory extends object>({ name }: FlowDefinition<Memory>, memory: Memory): Promise<void> {
    const sealed = await sealFlow({ ...memory, name } satisfies NamedMemory, this.backend.browser());
    this.setCookie("flow", sealed.length > MOST_FLOW_BYTES ? undefined : sealed);
  }

  /** Removes the flow cookie with the answer. */
  forgetFlow(): void {
    this.setCookie("flow", undefined);
  }

  /** Leaves a notice for the next screen to show once. */
  leaveNotice(notice: Notice): Promise<void> {
    return this.remember(noticeFlow, notice);
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

/** What all loaders and actions of one request share, because each may get its own `Request` object. */
interface Shared {
  readonly backend: RequestBackend;
  readonly heldFlow: Promise<unknown>;
  visitor?: Promise<Visitor>;
}

/** Opens the visit of a request, for any visitor. Screens go through a gate instead (gate.server.ts). */
export async function openVisit(args: RouteArgs): Promise<Visit> {
  const known = args.context.incoming.memo.get(openVisit) as Shared | undefined;
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
  context.memo.set(openVisit, shared);
  return shared;
}
