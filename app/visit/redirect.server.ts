import { data, redirect, type TypedResponse } from "@remix-run/node";
import { REFUSAL_STATUS, type Wait } from "~/contract/refusal.server";

/** A redirect: it carries no data, so that a screen's action data is its refused form and nothing else. */
export type Redirect = TypedResponse<never>;

/** A redirect; after a POST the browser goes on with a GET (POST–redirect–GET). */
export function redirectTo(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/** The backend says to wait: the page says how long, and nobody is signed out for that. */
export function waitResponse({ kind, retryAfterSeconds }: Wait) {
  const headers = { "Retry-After": String(retryAfterSeconds) };
  return data({ retryAfterSeconds }, { status: REFUSAL_STATUS[kind], headers });
}
