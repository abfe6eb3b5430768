/** A text message on its way to the gateway. */
export interface OutgoingSms {
  /** The same at every attempt, so that the gateway can drop duplicates. */
  readonly id: string;
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  /** When it was written, and when it is too old to send, in ms. */
  readonly sentAt: number;
  readonly endsAt: number;
}

/**
 * The result of an attempt. `refused`: the gateway will never accept this message. `later`: try again, even if the
 * message may have been accepted. `reason` is our own text, because the gateway's may repeat the phone number.
 */
export type Delivery =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly reason: string }
  /** `alarm`: no message will be accepted until the account or the configuration is fixed. */
  | { readonly kind: "later"; readonly reason: string; readonly alarm: boolean };

/** All gateways. The demo's outbox isn't one: it delivers nothing. */
export const GATEWAYS = ["smsapi", "webhook"] as const;

/** A service that delivers text messages. */
export interface SmsGateway {
  readonly name: (typeof GATEWAYS)[number];
  /** Tries once, and stops when `signal` aborts. Never throws. */
  send(sms: OutgoingSms, signal: AbortSignal): Promise<Delivery>;
}
