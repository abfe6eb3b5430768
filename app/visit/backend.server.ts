import type { RequestContext } from "~/front-door/context.server";
import { environment } from "~/platform/config/environment.server";
import { withTimeout } from "~/platform/lifecycle/with-timeout.server";
import { log } from "~/platform/telemetry/log.server";
import { backendClient, type BackendClient, type Send } from "./backend-client/backend-client.server";
import { CookieJar } from "./backend-client/cookie-jar";
import { sendToBackend } from "./backend-client/send-to-backend.server";
import { expiredSessionLine, hostPrefixed, portalCookieNames } from "./cookies.server";
import { deviceName } from "./device-name.server";

/** The backend, for one request. Its calls share cookies, and the cookies they set are sent to the browser. */
export interface RequestBackend extends BackendClient {
  /** Whether there is a session cookie. Without one, there is no need to ask the backend whose it is. */
  readonly hasSession: () => boolean;
  /** The browser's token, known by this answer at the latest; empty until the backend has set it. */
  readonly browser: () => string;
  /** The name of the visitor's device, sent with every call. */
  readonly deviceName: () => Promise<string>;
  /** Ends the session. The browser's cookie is removed even if the backend fails or takes over a second. */
  readonly signOut: () => Promise<void>;
}

/** The backend, called on behalf of this request's visitor through `send`. */
export function backendFor(request: Request, context: RequestContext, send: Send): RequestBackend {
  const relay = (line: string) => {
    context.setCookies.push(line);
  };
  const jar = new CookieJar(request.headers.get("Cookie"), portalCookieNames(), relay);
  let name: Promise<string> | undefined;
  const nameOnce = () => (name ??= deviceName(request));
  const client = clientFor(context, send, jar, nameOnce);
  return {
    ...client,
    hasSession: () => jar.has(hostPrefixed("session")),
    browser: () => jar.get(hostPrefixed("browser")) ?? "",
    deviceName: nameOnce,
    signOut: async () => {
      const ended = await withTimeout(environment().limits.SIGN_OUT_MS, client.call("deleteSession", {}));
      // If the backend ended the session but left its cookie, the cookie is removed too.
      if (ended?.kind !== "done" || jar.has(hostPrefixed("session"))) jar.set(expiredSessionLine());
    },
  };
}

/**
 * The backend, for one request of a visitor without a session. Cheap, because it needs nothing else that a page needs.
 * @param cookies the visitor's `Cookie` header
 */
export function backendForStranger(cookies: string | undefined, context: RequestContext): BackendClient {
  const relay = (line: string) => {
    context.setCookies.push(line);
  };
  const jar = new CookieJar(cookies ?? null, portalCookieNames(), relay);
  // Without a session nothing is stored, so the device needs no name.
  return clientFor(context, sendToBackend, jar, () => Promise.resolve(""));
}

function clientFor(
  { clientAddress, requestId, receivedAt }: RequestContext,
  send: Send,
  jar: CookieJar,
  deviceName: () => Promise<string>,
): BackendClient {
  return backendClient(send, { jar, clientAddress, requestId, receivedAt, deviceName }, (error) => {
    log().error({ requestId, err: error }, "backend call failed");
  });
}
