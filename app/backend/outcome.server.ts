import type { CatalogueCode } from "~/contract/errors";

/** What came of a call. Whatever a caller can be told is a value; exceptions are for what nobody can answer. */
export type Outcome<Value> = Done<Value> | Refused;

/** It was done. */
export interface Done<Value> {
  readonly kind: "done";
  readonly value: Value;
}

/** Why it was not done: each is one answer of the backend contract. */
export type Refused =
  /** 400: a row of the error catalogue; a timed lock says when it ends. */
  | { readonly kind: "refused"; readonly code: CatalogueCode; readonly retryAfterSeconds?: number }
  /** 401: no session, or an ended one. */
  | { readonly kind: "signed-out" }
  /** 409: the password was right, the code is still missing. */
  | { readonly kind: "not-activated" }
  /** 422: these fields break the schema, or a rule of specification §5. */
  | { readonly kind: "invalid"; readonly fields: readonly string[] }
  /** 429 */
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  /** 503 */
  | { readonly kind: "busy" };

/** It was done, and this came of it. */
export function done<Value>(value: Value): Done<Value> {
  return { kind: "done", value };
}

/** A row of the error catalogue. */
export function refused(code: CatalogueCode): Refused {
  return { kind: "refused", code };
}

/** No session. */
export const SIGNED_OUT: Refused = { kind: "signed-out" };
/** A session that waits for its code. */
export const NOT_ACTIVATED: Refused = { kind: "not-activated" };
/** Too much work at once. */
export const TOO_BUSY: Refused = { kind: "busy" };
