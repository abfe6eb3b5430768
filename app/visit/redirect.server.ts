import { data, redirect, type TypedResponse } from "@remix-run/node";
import { waitHead, type Wait } from "~/contract/refusal.server";
import type { Translate } from "~/i18n/texts.server";
import { waitWords } from "~/i18n/wait-text.server";

/** A redirect. Its type carries no data, so that a screen's action data can only be its refused form. */
export type Redirect = TypedResponse<never>;

/** Makes a redirect. After a POST the browser continues with a GET (POST–redirect–GET). */
export function redirectTo(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/** The answer if the backend asks to wait. The page says how long, and the visitor stays signed in. */
export function waitResponse(t: Translate, wait: Wait) {
  return data(waitWords(t, wait), waitHead(wait));
}

/** Only for parsing addresses; nothing is ever sent there. */
const HERE = "http://portal.invalid";

/**
 * An address within the portal, safe to use in a `Location`; undefined for anything that could lead elsewhere (S58).
 * Browsers take `//host`, `/\host` and `/<tab>/host` for other sites, so the address is parsed as they parse it.
 */
export function localPath(typed: string | null): string | undefined {
  if (!typed?.startsWith("/") || !URL.canParse(typed, HERE)) return undefined;
  const { origin, pathname, search } = new URL(typed, HERE);
  // By now "/.//host" has become "//host".
  return origin === HERE && !pathname.startsWith("//") ? pathname + search : undefined;
}

/**
 * Whether visitors came here by themselves, not sent by another site. Text browsers send none of these headers, and
 * count as coming by themselves.
 */
export function isOwnNavigation({ headers }: Request): boolean {
  const site = headers.get("Sec-Fetch-Site");
  if (site !== null) return site === "same-origin" || site === "none";
  const referer = headers.get("Referer");
  return referer === null || (URL.canParse(referer) && new URL(referer).host === headers.get("Host"));
}
