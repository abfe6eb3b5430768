import { isBarred, isWait, type Wait } from "~/contract/refusal.server";
import type { RequestContext, RouteArgs } from "~/front-door/context.server";
import { askAsStranger, type RequestBackend } from "./backend-client/backend-client.server";
import { hasConsent } from "./consent.server";

/** The signed-in customer, as the header and the screens show them. */
export interface CustomerInfo {
  readonly name: string;
  readonly username: string;
}

/**
 * Who makes a request (specification §3 "Auth status values", and `pending`: the password was right, the sign-in
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
 * Asks the backend for the cookie of a browser that has none, before a kept page is sent.
 * @param cookies the visitor's `Cookie` header
 * @returns whether to show the page; false if the backend asks the visitor to wait, which the app then says
 */
export async function greetBrowser(cookies: string | undefined, context: RequestContext): Promise<boolean> {
  const info = await askAsStranger(cookies, context);
  if (!isWait(info)) return true;
  context.memo.set(greetBrowser, { status: "unavailable", wait: info } satisfies Visitor);
  return false;
}

/** Asks the backend who makes a request, unless it has already asked this visitor to wait. */
export async function recognise({ request, context }: RouteArgs, backend: RequestBackend): Promise<Visitor> {
  if (!hasConsent(request)) return { status: "missingCookie" };
  const asked = context.incoming.memo.get(greetBrowser) as Visitor | undefined;
  if (asked) return asked;
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
