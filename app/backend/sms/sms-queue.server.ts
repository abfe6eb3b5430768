import type { Purpose } from "~/contract/purposes";
import type { Tx } from "../store/store.server";

/** A text message with a code. */
export interface SmsMessage {
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  readonly purpose: Purpose;
  /** The request that caused it. It links the delivery's log lines to that request. */
  readonly requestId: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
  /** When its code expires; then the message is dropped. */
  readonly endsAt: number;
}

/** Where services put outgoing text messages. */
export interface SmsQueue {
  /** Queues a message in the transaction that creates its code: both or neither. No request waits for the gateway. */
  put(tx: Tx, message: SmsMessage): Promise<void>;
}
