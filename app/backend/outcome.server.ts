import type { CatalogueCode } from "~/contract/errors";

/** The result of a call. Anything a caller can be told is a value; exceptions are for faults. */
export type Outcome<Value> = Done<Value> | Rejection;

/** The call succeeded. */
export interface Done<Value> {
  readonly kind: "done";
  readonly value: Value;
}

/** Why a call was rejected: each kind is one answer of the backend contract. */
export type Rejection =
  /** 400: a row of the error catalogue; a timed lock says when it ends. */
  | { readonly kind: "refused"; readonly code: CatalogueCode; readonly retryAfterSeconds?: number }
  /** 401: no session, or an ended one. */
  | { readonly kind: "signed-out" }
  /** 409: the password was right, but the session still needs its code. */
  | { readonly kind: "not-activated" }
  /** 422: these fields break the schema, or a rule of specification §5. */
  | { readonly kind: "invalid"; readonly fields: readonly string[] }
  /** 429 */
  | { readonly kind: "rate-limited"; readonly retryAfterSeconds: number }
  /** 503 */
  | { readonly kind: "busy" };

/** Success with this value. */
export function done<Value>(value: Value): Done<Value> {
  return { kind: "done", value };
}

/** Rejects with a row of the error catalogue. */
export function refused(code: CatalogueCode): Rejection {
  return { kind: "refused", code };
}

/** Rejects a call that needs a session. */
export const SIGNED_OUT: Rejection = { kind: "signed-out" };
/** Rejects a session that still needs its code. */
export const NOT_ACTIVATED: Rejection = { kind: "not-activated" };
/** Rejects a call because the server is overloaded. */
export const TOO_BUSY: Rejection = { kind: "busy" };
