import { randomBytes } from "node:crypto";

/** What each answer fills in for itself in a page that is otherwise the same for everybody. */
export interface Slots {
  /** Of the content security policy, new for every answer. */
  readonly nonce: string;
  /** The reference number. */
  readonly reference: string;
  /** When the request arrived, as the page writes it. */
  readonly time: string;
  /** The host in the visitor's address bar. */
  readonly host: string;
}

/** All slots. */
export const SLOT_NAMES = ["nonce", "reference", "time", "host"] as const satisfies readonly (keyof Slots)[];

/** A nonce: 16 random bytes in base64 (CSP 3 §7.1 asks for that many). */
export function newNonce(): string {
  return randomBytes(16).toString("base64");
}
