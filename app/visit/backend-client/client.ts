import type { Answer } from "~/contract/refusal.server";
import type { CallName, CallRequest, CallResponse } from "~/contract/calls.server";
import type { RequestContext } from "~/server/front-door/context.server";

/** The backend, as one request of a visitor reaches it: in this process, or at `BACKEND_URL`. */
export interface BackendClient {
  /**
   * Makes a call. Its cookies go to the browser, and are sent with later calls of this request.
   * @param left makes a signal that is aborted when the visitor has left, for work that is not worth finishing then
   * @throws Error if there is no answer, or one that breaks the contract
   */
  call<Name extends CallName>(
    name: Name,
    payload: CallRequest<Name>,
    left?: () => AbortSignal,
  ): Promise<Answer<CallResponse<Name>>>;
  /** Whether there is a session cookie. Without one, there is no need to ask the backend whose it is. */
  hasSession(): boolean;
  /** The browser's token, as sent or as set by a call of this request; empty until the backend has set one. */
  browser(): string;
}

/** A visitor's request, and the context that collects the backend's cookies. */
export interface Visiting {
  /** The visitor's `Cookie` header. */
  readonly cookies: string | undefined;
  /** The Host that the browser asked for. */
  readonly host?: string | undefined;
  readonly context: RequestContext;
  /** The name of the visitor's device. */
  readonly deviceName: () => Promise<string>;
}
