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
  /** When its code expires: after that the message is dropped. */
  readonly endsAt: number;
}

/** Where services put outgoing text messages. */
export interface SmsQueue {
  /** Queues a message in the transaction that creates its code: both are kept or neither. No request waits for the gateway. */
  put(tx: Tx, message: SmsMessage): Promise<void>;
}
