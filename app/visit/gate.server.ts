import { usernameKey } from "~/contract/rules";
import type { RouteArgs } from "~/server/front-door/context.server";
import { redirectToConsent, waitResponse } from "./browser.server";
import { typedUsername } from "./flow.server";
import { type CustomerInfo, type Visit, type Visitor, openVisit } from "./visit.server";

/** A visit by a customer whose password was right. */
interface CustomerVisit {
  readonly visit: Visit;
  readonly customer: CustomerInfo;
}

/*
 * The gates of screens (specification §2; docs/screens.md, "Who may see what"). Every loader and action of a gated
 * screen opens its visit through one of them before anything else. A thrown redirect sends other visitors to a screen
 * that they may see. Consent comes first.
 */

/** The gate of a screen for visitors who are not signed in. The screen also opens while the backend fails. */
export async function signedOut(args: RouteArgs): Promise<Visit> {
  const visit = await openVisit(args);
  const visitor = await visit.visitor();
  if (visitor.status === "notAuthenticated") {
    // No personal data on a signed-out form: the Back button may show its refusal again (F9).
    if (visit.request.method === "POST") visit.context.incoming.backMayShow = true;
    return visit;
  }
  if (visitor.status === "unavailable" && !visitor.wait) return visit;
  return sendElsewhere(visit, visitor);
}

/**
 * The gate of a sign-in form's action. If a customer is already signed in, and the form on an old page has another
 * username, the next screen asks whether to switch accounts (F15). The backend never gets the typed values.
 */
export async function signingIn(args: RouteArgs): Promise<Visit> {
  const visit = await openVisit(args);
  const visitor = await visit.visitor();
  if (visitor.status !== "authenticated") return signedOut(args);
  const username = (await visit.posted()).get("username") ?? "";
  const key = usernameKey(username);
  if (key === "" || key === usernameKey(visitor.customer.username)) return sendElsewhere(visit, visitor);
  await visit.remember(typedUsername, { username });
  throw visit.redirectTo("/home/switch-account");
}

/** The gate of the screen that asks for the code after the password. */
export async function pending(args: RouteArgs): Promise<CustomerVisit> {
  return admit(await openVisit(args), "pending");
}

/** The gate of a screen for signed-in customers. */
export async function signedIn(args: RouteArgs): Promise<CustomerVisit> {
  return admit(await openVisit(args), "authenticated");
}

/**
 * The gate of an action with a confirm that replaces the session. The second request of a double submit passes without
 * a customer: its session has just been replaced, and the backend recognises the request by browser and payload. Any
 * other request with an ended session passes as well, and the backend refuses its call.
 */
export async function pendingOrDoubleSubmit(args: RouteArgs): Promise<Visit> {
  const visit = await openVisit(args);
  return (await mayBeDoubleSubmit(visit)) ? visit : (await admit(visit, "pending")).visit;
}

/** Like `pendingOrDoubleSubmit`, for signed-in customers. */
export async function signedInOrDoubleSubmit(
  args: RouteArgs,
): Promise<{ readonly visit: Visit; readonly customer: CustomerInfo | undefined }> {
  const visit = await openVisit(args);
  return (await mayBeDoubleSubmit(visit)) ? { visit, customer: undefined } : admit(visit, "authenticated");
}

async function mayBeDoubleSubmit(visit: Visit): Promise<boolean> {
  return (await visit.visitor()).status === "notAuthenticated" && visit.backend.hasSession();
}

async function admit(visit: Visit, status: "pending" | "authenticated"): Promise<CustomerVisit> {
  const visitor = await visit.visitor();
  if (visitor.status === status) return { visit, customer: visitor.customer };
  return sendElsewhere(visit, visitor);
}

/** Redirects a visitor who may not see a screen to one they may see. */
async function sendElsewhere(visit: Visit, visitor: Visitor): Promise<never> {
  switch (visitor.status) {
    case "missingCookie":
      throw redirectToConsent(visit.request);
    case "notAuthenticated":
      if (visitor.isBarred) throw await visit.toStartOfBarred();
      // The browser still sends a session cookie, so the session has ended; the start page says so.
      if (visit.backend.hasSession()) await visit.sayExpired();
      throw visit.redirectTo("/home");
    case "pending":
      throw visit.redirectTo("/home/mfa");
    case "authenticated":
      throw visit.redirectTo(isStartPage(visit.request) ? "/cp" : "/home");
    case "unavailable":
      if (visitor.wait) throw waitResponse(visit.t, visitor.wait);
      throw await visit.toErrorPage();
  }
}

function isStartPage(request: Request): boolean {
  return new URL(request.url).pathname.replace(/\/$/, "") === "/home";
}
