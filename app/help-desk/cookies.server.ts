import { parseCookie, stringifySetCookie } from "cookie";
import { z } from "zod";
import type { Clock } from "~/platform/time.server";
import { openPayload, sealPayload } from "~/platform/sealing.server";
import { DECISIONS, DONE } from "./done";

/*
 * The help desk's cookies. All but the language are sealed with secrets of its own (HELP_DESK_SECRETS). None has the
 * name or the key of a customer's cookie.
 */

/** How cookies are sealed and named. */
export interface CookieKeys {
  /** The first seals, any of them opens. */
  readonly secrets: readonly string[];
  /** Whether staff come by https; then cookies are Secure and carry `__Host-` (S53). */
  readonly https: boolean;
  readonly clock: Clock;
}

/** The sealed cookies, by their role. */
const SEALED = {
  /** Who signed on, and when the session began (ms since 1970). */
  session: z.object({
    staff: z.object({
      sub: z.string(),
      name: z.string(),
      mayAct: z.boolean(),
      signedOnAt: z.number(),
      email: z.string().optional(),
      phone: z.string().optional(),
    }),
    begunAt: z.number(),
  }),
  /** The customer whom they have chosen, and why. */
  chosen: z.object({ customerId: z.string(), reason: z.string(), done: DONE.optional() }),
  /** The outcome of the last decision about a waiting act; shown once. */
  decided: z.object({ decision: z.enum(DECISIONS) }),
  /** A form that a sign-on interrupted, and the reason in it; shown once. */
  interrupted: z.object({ reason: z.string().optional() }),
  /** A sign-on in progress: what the callback must match, and the page to return to. */
  "sign-on": z.object({
    state: z.string(),
    nonce: z.string(),
    /** The secret half of PKCE (RFC 7636). */
    verifier: z.string(),
    back: z.string(),
    /** How old the issuer's proof may be (s); undefined for any age. */
    maxAge: z.number().optional(),
    /** Whether it is an automatic retry after a stale callback. */
    isAgain: z.boolean().optional(),
  }),
} as const;

type SealedCookie = keyof typeof SEALED;
/** The content of a sealed cookie. */
export type Content<Cookie extends SealedCookie> = z.output<(typeof SEALED)[Cookie]>;
/** A cookie of the help desk, by its role. */
type HelpDeskCookie = SealedCookie | "language";

/** A cookie's name in the browser. */
export function helpDeskCookieName(cookie: HelpDeskCookie, { https }: Pick<CookieKeys, "https">): string {
  return `${https ? "__Host-" : ""}help-desk-${cookie}`;
}

/** The value that a request carries, if any. */
export function cookieOf(
  request: Request,
  keys: Pick<CookieKeys, "https">,
  cookie: HelpDeskCookie,
): string | undefined {
  return parseCookie(request.headers.get("Cookie") ?? "")[helpDeskCookieName(cookie, keys)];
}

/** A `Set-Cookie` line, until the browser is closed; an empty value removes the cookie. */
export function cookieLine(keys: Pick<CookieKeys, "https">, cookie: HelpDeskCookie, value: string): string {
  const look = { path: "/", httpOnly: true, sameSite: "lax", secure: keys.https } as const;
  return stringifySetCookie(helpDeskCookieName(cookie, keys), value, {
    ...look,
    ...(value === "" && { maxAge: 0 }),
  });
}

/**
 * A `Set-Cookie` line that seals a content until a moment (ms since 1970).
 * @param of the owner's `sub`: only their session opens it
 */
export async function sealedLine<Cookie extends SealedCookie>(
  keys: CookieKeys,
  cookie: Cookie,
  content: Content<Cookie>,
  until: number,
  of = "",
): Promise<string> {
  const key = { use: `help-desk ${cookie}`, secrets: keys.secrets, of };
  return cookieLine(keys, cookie, await sealPayload(key, { content }, until));
}

/** The content of a request's sealed cookie; undefined if there is none, or if it is over, forged or another person's. */
export async function contentOf<Cookie extends SealedCookie>(
  request: Request,
  keys: CookieKeys,
  cookie: Cookie,
  of = "",
): Promise<Content<Cookie> | undefined> {
  const key = { use: `help-desk ${cookie}`, secrets: keys.secrets, of };
  const payload = await openPayload(key, cookieOf(request, keys, cookie) ?? "", keys.clock());
  return SEALED[cookie].safeParse(payload?.["content"]).data as Content<Cookie> | undefined;
}
