import { randomFillSync } from "node:crypto";

const NONCE_BYTES = 16;

/** The values that each answer fills in, in a page that is otherwise the same for everybody. */
export interface Slots {
  /** For the content security policy; new for every answer. */
  readonly nonce: string;
  /** The reference number. */
  readonly reference: string;
  /** When the request arrived, as the page writes it. */
  readonly time: string;
  /** The host in the visitor's address bar. */
  readonly host: string;
}

export const SLOT_NAMES = ["nonce", "reference", "time", "host"] as const satisfies readonly (keyof Slots)[];

/** Random bytes for 256 nonces at a time: asking the system for each would take a twentieth of a kept page's time. */
const random = Buffer.alloc(256 * NONCE_BYTES);
let taken = random.length;

/** A nonce: 16 random bytes in base64 (CSP 3 §7.1 asks for that many). */
export function newNonce(): string {
  if (taken === random.length) {
    randomFillSync(random);
    taken = 0;
  }
  taken += NONCE_BYTES;
  return random.toString("base64", taken - NONCE_BYTES, taken);
}
