/** A text message on its way to the gateway. */
export interface OutgoingSms {
  /** The same at every attempt: who knows it already, doesn't send it again. */
  readonly id: string;
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  /** When it was written and when its code ends, in ms. */
  readonly sentAt: number;
  readonly endsAt: number;
}

/**
 * What came of an attempt. `refused`: this message will never be taken. `later`: it may be taken yet, also when nobody
 * knows whether it was. `reason` is ours, never a gateway's own words: they may repeat the number.
 */
export type Delivery =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly reason: string }
  /** `alarm`: until somebody mends the account or the configuration, no message will be taken. */
  | { readonly kind: "later"; readonly reason: string; readonly alarm: boolean };

/** Someone who hands text messages to the operators. */
export interface SmsGateway {
  readonly name: "smsapi" | "webhook";
  /** Tries once, and gives up when `signal` says so. Never throws. */
  send(sms: OutgoingSms, signal: AbortSignal): Promise<Delivery>;
}
