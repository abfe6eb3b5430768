import type { Purpose } from "~/contract/purposes";
import type { Limits } from "~/platform/config/limits";
import { DAY, SECOND } from "../../clock.server";
import { keyedHash } from "../../secrets/keyed-hashes.server";
import type { Keyring } from "../../secrets/keyring.server";
import type { AttemptPolicy } from "../counting/attempts.server";

/** The browser, subject and purpose that a code is bound to. It works with no other (S25). */
export interface CodeOwner {
  /** An account, a customer, or a keyed hash of details that match no customer. */
  readonly subject: string;
  readonly purpose: Purpose;
  /** The browser's token. */
  readonly browser: string;
}

/** What is stored of a code: a keyed hash bound to purpose, subject and row, so that it can't be moved (S30). */
export function codeMac(
  keyring: Keyring,
  version: number,
  owner: CodeOwner,
  codeId: string,
  code: string,
): string {
  return keyedHash(keyring, "code", version, [code, owner.purpose, owner.subject, codeId]);
}

/** Attempts key for wrong tries. Unknown browsers share one; each known browser has its own (S107). */
export function codeSubject(
  { purpose, subject }: Pick<CodeOwner, "purpose" | "subject">,
  knownBrowserHash: string | undefined,
): string {
  const common = `code|${purpose}|${subject}`;
  return knownBrowserHash === undefined ? common : `${common}|${knownBrowserHash}`;
}

/** Fifteen wrong tries a day under one key stop new codes for an hour; codes already sent stay valid. */
export function codePolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.CODE_TRIES_PER_DAY,
    blocks: [limits.CODE_STOP_SECONDS * SECOND],
    forgetAfter: DAY,
    forgetFrom: "first",
    blocksTries: false,
  };
}
