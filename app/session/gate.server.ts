import { data, redirect, type TypedResponse } from "@remix-run/node";
import type { Answer, Refused } from "~/contract/answer";
import { backendFor } from "./backend.server";
import { forgetFlow, leaveNotice } from "./flow.server";
import { visitorOf, type Customer } from "./visitor.server";

/** Who may see a screen (specification §2, form contract "Who may see what"). */
export type Audience = "signed-out" | "pending" | "signed-in";

/**
 * The gate of a screen: everybody else is sent where they belong, by a thrown redirect. Consent comes first.
 * Every loader and every action of a gated screen calls it before anything else.
 */
export async function enter(request: Request, audience: "signed-out"): Promise<undefined>;
export async function enter(request: Request, audience: "pending" | "signed-in"): Promise<Customer>;
export async function enter(request: Request, audience: Audience): Promise<Customer | undefined> {
  const visitor = await visitorOf(request);
  switch (visitor.status) {
    case "missingCookie":
      throw askForConsent(request);
    case "notAuthenticated":
      if (audience === "signed-out") return undefined;
      // The browser still carries a session: it has ended meanwhile, and the start page says so.
      if (backendFor(request).hasSession()) await leaveNotice("session-expired");
      throw go(request, "/home");
    case "pending":
      if (audience === "pending") return visitor.customer;
      throw go(request, "/home/mfa");
    case "authenticated":
      if (audience === "signed-in") return visitor.customer;
      throw go(request, isStart(request) ? "/cp" : "/home");
    case "unavailable":
      if (visitor.wait) throw comeBackLater(visitor.wait);
      if (audience === "signed-out") return undefined;
      throw await leaveForService(request);
  }
}

/**
 * The gate of an action whose confirm gives the browser another session. The twin of a doubled submit passes without a
 * customer: its session has just been replaced, and the backend knows it again by its browser and payload. Whoever else
 * comes with a dead session learns so from the call.
 */
export async function enterToConfirm(
  request: Request,
  audience: "pending" | "signed-in",
): Promise<Customer | undefined> {
  const visitor = await visitorOf(request);
  if (visitor.status === "notAuthenticated" && backendFor(request).hasSession()) return undefined;
  return enter(request, audience);
}

/** A redirect: it carries no data, so that a screen's action data is its refused form and nothing else. */
export type Redirect = TypedResponse<never>;

/** The query by which the consent screen knows that the browser keeps no cookies. */
export const BLOCKED = "blokada";

/**
 * What machines ask for, and files: nobody is there who could consent (form contract, "Who may see what"). And the
 * choice of a language: who is asked for consent must be able to read the question.
 */
const FREE_OF_CONSENT =
  /^\/(demo|\.well-known|assets|documents|language)\/|^\/(healthz|readyz)$|\.(ico|js|css|map|pdf|png|svg|txt)$/;

/** Whether an address is answered without consent, also when there is nothing there. */
export function isFreeOfConsent(request: Request): boolean {
  return FREE_OF_CONSENT.test(new URL(request.url).pathname);
}

/**
 * To the consent screen. Who comes from there without the cookie has a browser that keeps none, and is told so there:
 * the request that follows the consent carries that screen's address.
 */
export function askForConsent(request: Request): Redirect {
  const referer = request.headers.get("Referer") ?? "";
  const justAccepted = URL.canParse(referer) && new URL(referer).pathname === "/home/cookies";
  return go(request, justAccepted ? `/home/cookies?${BLOCKED}` : "/home/cookies");
}

/** A redirect; after a POST the browser goes on with a GET (POST–redirect–GET). */
export function go(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/**
 * What an action has to deal with itself: success, or a refusal that its form can show. The rest leads elsewhere by a
 * thrown redirect (specification §8, HTTP): 401 to the start, 409 to the code, any other failure to the error page.
 */
export async function settle<Value>(
  request: Request,
  answer: Answer<Value>,
): Promise<{ readonly kind: "done"; readonly value: Value } | Refused> {
  switch (answer.kind) {
    case "unauthenticated":
      if (backendFor(request).hasSession()) await leaveNotice("session-expired");
      else forgetFlow();
      throw go(request, "/home");
    case "not-activated":
      throw go(request, "/home/mfa");
    case "failed":
      throw await leaveForService(request);
    default:
      return answer;
  }
}

/** Ends the session, and with it whatever flow was under way. */
export async function signOut(request: Request): Promise<void> {
  forgetFlow();
  await backendFor(request).signOut();
}

/** "Any other failure": a POST ends the session, and the error page follows. A GET changes nothing. */
async function leaveForService(request: Request): Promise<Response> {
  if (request.method === "GET" || request.method === "HEAD") return go(request, "/service");
  await signOut(request);
  return go(request, "/service");
}

/** The backend is busy: nobody is signed out for that, the page says how long to wait. */
function comeBackLater({ status, retryAfterSeconds }: { status: 429 | 503; retryAfterSeconds: number }) {
  return data({ retryAfterSeconds }, { status, headers: { "Retry-After": String(retryAfterSeconds) } });
}

function isStart(request: Request): boolean {
  return new URL(request.url).pathname.replace(/\/$/, "") === "/home";
}
