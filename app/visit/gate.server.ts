import { redirectToConsent } from "./consent.server";
import { SESSION_EXPIRED } from "./notice.server";
import { waitResponse } from "./redirect.server";
import { openVisit, type Visit } from "./visit.server";
import type { CustomerInfo, Visitor } from "./visitor.server";

/** A visit of a customer whose password was right. */
export interface CustomerVisit {
  readonly visit: Visit;
  readonly customer: CustomerInfo;
}

/** Who may see a screen (specification §2; docs/screens.md, "Who may see what"). */
export type Audience = "signed-out" | "pending" | "signed-in";

/*
 * The gates of screens. Every loader and every action of a gated screen opens its visit by one of them, before anything
 * else; everybody else is sent where they belong, by a thrown redirect. Consent comes first.
 */

/** The gate of a screen for visitors who are not signed in. */
export async function signedOut(request: Request): Promise<Visit> {
  const visit = await openVisit(request);
  const visitor = await visit.visitor();
  if (visitor.status === "notAuthenticated") return visit;
  if (visitor.status === "unavailable" && !visitor.wait) return visit;
  return sendElsewhere(visit, visitor);
}

/** The gate of the screen between password and code. */
export async function pending(request: Request): Promise<CustomerVisit> {
  return admit(await openVisit(request), "pending");
}

/** The gate of a screen for signed-in customers. */
export async function signedIn(request: Request): Promise<CustomerVisit> {
  return admit(await openVisit(request), "authenticated");
}

/**
 * The gate of an action whose confirm gives the browser another session. The twin of a doubled submit passes without a
 * customer: its session has just been replaced, and the backend knows it again by its browser and payload. Anyone else
 * who comes with a dead session learns so from the call.
 */
export async function pendingOrTwin(request: Request): Promise<Visit> {
  const visit = await openVisit(request);
  return (await isTwin(visit)) ? visit : (await admit(visit, "pending")).visit;
}

/** The same for signed-in customers. */
export async function signedInOrTwin(
  request: Request,
): Promise<{ readonly visit: Visit; readonly customer: CustomerInfo | undefined }> {
  const visit = await openVisit(request);
  return (await isTwin(visit)) ? { visit, customer: undefined } : admit(visit, "authenticated");
}

async function isTwin(visit: Visit): Promise<boolean> {
  return (await visit.visitor()).status === "notAuthenticated" && visit.backend.hasSession();
}

async function admit(visit: Visit, status: "pending" | "authenticated"): Promise<CustomerVisit> {
  const visitor = await visit.visitor();
  if (visitor.status === status) return { visit, customer: visitor.customer };
  return sendElsewhere(visit, visitor);
}

/** Sends a visitor who may not see a screen where they belong. */
async function sendElsewhere(visit: Visit, visitor: Visitor): Promise<never> {
  switch (visitor.status) {
    case "missingCookie":
      throw redirectToConsent(visit.request);
    case "notAuthenticated":
      // The browser still carries a session: it has ended meanwhile, and the start page says so.
      if (visit.backend.hasSession()) await visit.leaveNotice(SESSION_EXPIRED);
      throw visit.redirectTo("/home");
    case "pending":
      throw visit.redirectTo("/home/mfa");
    case "authenticated":
      throw visit.redirectTo(isStart(visit.request) ? "/cp" : "/home");
    case "unavailable":
      if (visitor.wait) throw waitResponse(visitor.wait);
      throw await visit.toErrorPage();
  }
}

function isStart(request: Request): boolean {
  return new URL(request.url).pathname.replace(/\/$/, "") === "/home";
}
