import type { Tx } from "../store/store.server";

/** A text message. */
export interface SmsMessage {
  /** In international form: `+48500100001`. */
  readonly to: string;
  readonly text: string;
  /** When it was handed over, in ms. */
  readonly sentAt: number;
}

/** Takes text messages. */
export interface SmsGateway {
  /** Queues a message in the transaction that makes its code: both are kept or neither. Nobody waits for an operator. */
  queue(tx: Tx, message: SmsMessage): Promise<void>;
}

/** Nine digits of Poland, less the numbers that cost the caller extra or cannot receive: 70x and 80x. */
const POLISH = /^\+48(?![78]0)\d{9}$/;

/** Whether codes may be sent to this number (backend contract: Polish numbers only; S29). */
export function isReachable(phone: string): boolean {
  return POLISH.test(phone);
}
