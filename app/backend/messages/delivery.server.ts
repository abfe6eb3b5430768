import type { MessageGateway } from "../store/message-kinds.server";

/**
 * The result of an attempt. `refused`: the gateway will never accept this message. `later`: try again, even if the
 * message may have been accepted. `reason` is our own text, because the gateway's may repeat the phone number.
 */
export type Delivery =
  /** `id`: the gateway's id for the message, if it gives one. */
  | { readonly kind: "accepted"; readonly id?: string }
  | { readonly kind: "refused"; readonly reason: string; readonly about?: AboutNumber }
  /** `alarm`: no message will be accepted until the account or the configuration is fixed. */
  | {
      readonly kind: "later";
      readonly reason: string;
      readonly alarm: boolean;
      readonly about?: AboutNumber;
    };

/** The phone number is the reason, so the message isn't passed on to the other gateway. */
type AboutNumber = "number";

/** The result of an attempt, and the gateway that gave it. */
export interface Attempt<Gateway extends MessageGateway = MessageGateway> {
  readonly gateway: Gateway;
  readonly delivery: Delivery;
}

/** Results of attempts, as metrics name them. `retried`: the message stays in the queue; `given-up`: it expired. */
export const DELIVERY_RESULTS = ["accepted", "retried", "rejected", "given-up"] as const;
/** The result of an attempt, as a label of metrics. */
export type DeliveryResult = (typeof DELIVERY_RESULTS)[number];
