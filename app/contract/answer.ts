import type { Refusal } from "./refusal.server";

/** A call that succeeded. */
export interface Done<Value> {
  readonly kind: "done";
  readonly value: Value;
}

/** A call that failed: no answer, an unreadable one, or a 5xx. */
interface Failed {
  readonly kind: "failed";
}

/** The outcome of a call, as the portal sees it. It is never thrown. */
export type Answer<Value> = Done<Value> | Refusal | Failed;
