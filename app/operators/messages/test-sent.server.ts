import type { Delivery } from "~/backend/messages/delivery.server";

/** A test message, and what became of it. */
export interface TestSent {
  /** For JSON: what it was given to. */
  readonly facts: object;
  /** The same for people. */
  readonly taker: string;
  readonly what: "message" | "e-mail";
  readonly delivery: Delivery;
}
