import type { Done } from "~/contract/answer";
import type { CatalogueCode } from "~/contract/errors";
import type { Refusal } from "~/contract/refusal.server";

/** The result of a call. Everything that a caller may learn is a value; exceptions are for faults. */
export type Outcome<Value> = Done<Value> | Refusal;

/** Seconds after which a caller may try again if the backend was overloaded (backend contract). */
const BUSY_SECONDS = 2;
/** The same for an unavailable database: what nginx says when no portal answers. */
const UNAVAILABLE_SECONDS = 5;

/** Success with this value. */
export function done<Value>(value: Value): Done<Value> {
  return { kind: "done", value };
}

/** Refuses with a row of the error catalogue; a timed lock says when it ends. */
export function refused(errorCode: CatalogueCode, retryAfterSeconds?: number): Refusal {
  return { kind: "refused", errorCode, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) };
}

/** Refuses a call that needs a session. */
export const SIGNED_OUT: Refusal = { kind: "signed-out" };
/** Refuses a session that still needs its code. */
export const NOT_ACTIVATED: Refusal = { kind: "not-activated" };
/** Refuses a call for something that doesn't exist or belongs to another customer. */
export const NOT_FOUND: Refusal = { kind: "not-found" };
/** Refuses a call because the server is overloaded. */
export const TOO_BUSY: Refusal = { kind: "busy", retryAfterSeconds: BUSY_SECONDS };
/** Refuses a call because the database can't be used now. */
export const UNAVAILABLE: Refusal = { kind: "unavailable", retryAfterSeconds: UNAVAILABLE_SECONDS };
