import { requestContext } from "~/front-door/context.server";
import { backendFor } from "./backend.server";
import { readCookie } from "./cookies.server";

/** The customer as the header and the screens know them. */
export interface Customer {
  readonly name: string;
  readonly username: string;
}

/**
 * Who makes a request (specification §3 "Auth status values", and `pending`: the password was right, the device is not
 * confirmed yet). `unavailable`: the backend could not say.
 */
export type Visitor =
  | { readonly status: "missingCookie" }
  | { readonly status: "notAuthenticated" }
  | { readonly status: "pending"; readonly customer: Customer }
  | { readonly status: "authenticated"; readonly customer: Customer }
  | {
      readonly status: "unavailable";
      readonly wait?: { readonly status: 429 | 503; readonly retryAfterSeconds: number };
    };

/** The visitor of a request. The backend is asked once, however many loaders want to know. */
export function visitorOf(request: Request): Promise<Visitor> {
  const { memo } = requestContext();
  const known = memo.get(visitorOf) as Promise<Visitor> | undefined;
  if (known) return known;
  const visitor = recognise(request);
  memo.set(visitorOf, visitor);
  return visitor;
}

/** Whether cookies have been accepted (specification §4, Startup). */
export function hasConsent(request: Request): boolean {
  return readCookie(request, "consent") !== undefined;
}

async function recognise(request: Request): Promise<Visitor> {
  if (!hasConsent(request)) return { status: "missingCookie" };
  const backend = backendFor(request);
  const [info, init] = await Promise.all([
    // Also without a session: the answer gives the browser the cookie that its codes will belong to.
    backend.call("userInfo", {}),
    backend.hasSession() ? backend.call("userInit", {}) : undefined,
  ]);
  if (info.kind === "wait") return { status: "unavailable", wait: info };
  if (info.kind === "unauthenticated") return { status: "notAuthenticated" };
  if (info.kind !== "done") return { status: "unavailable" };
  switch (init?.kind) {
    case "done":
      return { status: "authenticated", customer: info.value };
    case "not-activated":
      return { status: "pending", customer: info.value };
    case "wait":
      return { status: "unavailable", wait: init };
    case "unauthenticated":
    case undefined:
      return { status: "notAuthenticated" };
    default:
      return { status: "unavailable" };
  }
}
