import type { Purpose } from "~/contract/purposes";
import type { Tx } from "../store/store.server";

/** A text message with a code. */
export interface SmsMessage {
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  readonly purpose: Purpose;
  /** The request that caused it: by it the log of the delivery is found. */
  readonly requestId: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
  /** When its code ends: after that nobody needs it. */
  readonly endsAt: number;
}

/** Where the services leave text messages. */
export interface SmsQueue {
  /** Leaves a message in the transaction that makes its code: both are kept or neither. Nobody waits for a gateway. */
  put(tx: Tx, message: SmsMessage): Promise<void>;
}
