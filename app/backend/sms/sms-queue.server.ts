import type { Purpose } from "~/contract/purposes";
import type { Tx } from "../store/store.server";

/** A text message with a code. */
export interface SmsMessage {
  /**
   * In international form: `+48500100001`. Undefined for nobody: such a message is written and then dropped, so that it
   * takes as long as one that is sent (S108).
   */
  readonly to: string | undefined;
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
