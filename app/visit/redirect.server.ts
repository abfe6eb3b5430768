import { data, redirect, type TypedResponse } from "@remix-run/node";

/** A redirect: it carries no data, so that a screen's action data is its refused form and nothing else. */
export type Redirect = TypedResponse<never>;

/** A redirect; after a POST the browser goes on with a GET (POST–redirect–GET). */
export function redirectTo(request: Request, path: string): Redirect {
  return redirect(path, request.method === "POST" ? 303 : 302);
}

/** The backend is busy: the page says how long to wait, and nobody is signed out for that. */
export function busyResponse({
  status,
  retryAfterSeconds,
}: {
  status: 429 | 503;
  retryAfterSeconds: number;
}) {
  return data({ retryAfterSeconds }, { status, headers: { "Retry-After": String(retryAfterSeconds) } });
}
