import type { Purpose } from "~/contract/purposes";
import type { Tx } from "../store/store.server";

/** A text message: a code, or a notice. */
export interface SmsMessage {
  /**
   * In international form: `+48500100001`. Undefined for nobody: such a message is queued and dropped, so that it takes
   * as long as one that is sent (S108).
   */
  readonly to: string | undefined;
  readonly text: string;
  /** What its code is for; `notice` if it has none. */
  readonly purpose: Purpose | "notice";
  /** The request that caused it. It links the delivery's log lines to that request. */
  readonly requestId: string;
  /** When it was written, in ms. */
  readonly sentAt: number;
  /** When its code expires, or the notice is too old to send; then the message is dropped. */
  readonly endsAt: number;
}

/** Where services put outgoing text messages. */
export interface SmsQueue {
  /**
   * Queues a message in the transaction of its code or change: both are committed or neither. Doesn't wait for the
   * gateway.
   */
  put(tx: Tx, message: SmsMessage): Promise<void>;
}
