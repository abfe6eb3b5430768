import { backendClient, type BackendClient, type Send } from "~/client/backend-client.server";
import { CookieJar } from "~/client/cookie-jar";
import { sendToBackend } from "~/client/send-to-backend.server";
import { requestContext } from "~/front-door/context.server";
import { environment } from "~/platform/environment.server";
import { log } from "~/platform/log.server";
import { within } from "~/platform/within.server";
import { expiredSessionLine, hostPrefixed, portalCookieNames } from "./cookies.server";

/** The backend, for one request: its calls share cookies, and what they set goes to the browser. */
export interface RequestBackend extends BackendClient {
  /** Whether the browser carries a session; without one there is no need to ask whose it is. */
  readonly hasSession: () => boolean;
  /** Ends the session. The browser's cookie goes even if the backend fails or takes over a second. */
  readonly signOut: () => Promise<void>;
}

/** The backend on behalf of this request's visitor; the same object for every loader and action of the request. */
export function backendFor(request: Request): RequestBackend {
  const { memo } = requestContext();
  const known = memo.get(backendFor);
  if (known) return known as RequestBackend;
  const backend = openBackendFor(request, sendToBackend);
  memo.set(backendFor, backend);
  return backend;
}

/** Has everything that this request's loaders and actions ask be answered by `send`. Before they ask. */
export function answerInstead(request: Request, send: Send): void {
  requestContext().memo.set(backendFor, openBackendFor(request, send));
}

function openBackendFor(request: Request, send: Send): RequestBackend {
  const context = requestContext();
  const relay = (line: string) => {
    context.setCookies.push(line);
  };
  const jar = new CookieJar(request.headers.get("Cookie"), portalCookieNames(), relay);
  const caller = { jar, clientAddress: context.clientAddress, requestId: context.requestId };
  const client = backendClient(send, caller, (error) => {
    log().error({ requestId: context.requestId, err: error }, "backend call failed");
  });
  return {
    ...client,
    hasSession: () => jar.has(hostPrefixed("session")),
    signOut: async () => {
      const ended = await within(environment().limits.SIGN_OUT_MS, client.call("deleteSession", {}));
      // A backend that ended the session, but left its cookie, has the cookie ended too.
      if (ended?.kind !== "done" || jar.has(hostPrefixed("session"))) jar.set(expiredSessionLine());
    },
  };
}
