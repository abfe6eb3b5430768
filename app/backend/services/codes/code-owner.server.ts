import type { Purpose } from "~/contract/purposes";
import type { Limits } from "~/platform/limits";
import { DAY, SECOND } from "../../clock.server";
import { keyedHash } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import type { AttemptPolicy } from "../counting/attempts.server";

/** Whose a code is and what for. In another browser, for somebody else or for another purpose it is worthless (S25). */
export interface CodeOwner {
  /** An account, a customer, or a keyed hash of data that belongs to nobody. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** The token of the browser. */
  readonly browser: string;
}

/** What is kept of a code: keyed, and bound to its purpose, subject and row, so that it cannot be moved (S30). */
export function codeMac(
  keyring: Keyring,
  version: number,
  owner: CodeOwner,
  codeId: string,
  code: string,
): string {
  return keyedHash(keyring, "code", version, [code, owner.purpose, owner.subject, codeId]);
}

/** Under what wrong tries over all browsers are counted. */
export function codeSubject({ purpose, subject }: Pick<CodeOwner, "purpose" | "subject">): string {
  return `code|${purpose}|${subject}`;
}

/** Wrong tries over all browsers: fifteen in a day stop the sending for an hour; codes already sent stay good. */
export function codePolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.CODE_TRIES_PER_DAY,
    blocks: [limits.CODE_STOP_SECONDS * SECOND],
    forgetAfter: DAY,
    forgetFrom: "first",
    blocksTries: false,
  };
}
