/**
 * What came of a call, for the portal's side: a value for whatever a person can be told, `failed` for the rest
 * (no answer, an unreadable one, a 5xx). Nothing of it is thrown.
 */
export type Answer<Value> = { readonly kind: "done"; readonly value: Value } | NotDone;

/** Every way in which a call can end without success. */
export type NotDone =
  | Refusal
  | { readonly kind: "unauthenticated" }
  | { readonly kind: "not-activated" }
  | { readonly kind: "failed" };

/** What a form can answer in its place: a row of the error catalogue, a broken rule, or a time to wait. */
export type Refusal =
  | { readonly kind: "refused"; readonly errorCode: string; readonly retryAfterSeconds?: number }
  | { readonly kind: "invalid"; readonly fields: readonly string[] }
  | { readonly kind: "wait"; readonly status: 429 | 503; readonly retryAfterSeconds: number };
