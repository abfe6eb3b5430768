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
