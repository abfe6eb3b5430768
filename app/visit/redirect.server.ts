import { data, redirect, type TypedResponse } from "@remix-run/node";
import { waitText } from "~/forms/wait-text.server";
import type { Translate } from "~/i18n/texts.server";
import { REFUSAL_STATUS, type Wait } from "~/contract/refusal.server";

/** A redirect. Its type carries no data, so that a screen's action data can only be its refused form. */
export type Redirect = TypedResponse<never>;

/** Makes a redirect. After a POST the browser continues with a GET (POST–redirect–GET). */
export function redirectTo(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/** The answer if the backend asks to wait. The page says how long, and the visitor stays signed in. */
export function waitResponse(t: Translate, wait: Wait) {
  return data(waitWords(t, wait), { status: REFUSAL_STATUS[wait.kind], headers: waitHeaders(wait) });
}

/** The words of a waiting page, instead of the usual ones of its status. */
interface WaitWords {
  readonly header?: string;
  readonly text: string;
}

/** Says how long to wait. A crowd and an unavailable database have the same status, but not the same words (S115). */
export function waitWords(t: Translate, wait: Wait): WaitWords {
  const text = waitText(t, wait);
  return wait.kind === "unavailable" ? { header: t("errors:http.unavailable"), text } : { text };
}

/** Tells programs how long to wait. */
export function waitHeaders({ retryAfterSeconds }: Wait): { readonly "Retry-After": string } {
  return { "Retry-After": String(Math.ceil(retryAfterSeconds)) };
}
