import { usernameKey } from "~/contract/identifiers";
import type { Limits } from "~/platform/config/limits";
import { SECOND } from "../../clock.server";
import type { Dependencies } from "../../dependencies.server";
import { steadyIndex } from "../../secrets/keyed-hashes.server";
import type { AttemptPolicy } from "../counting/attempts.server";

/** Wrong passwords in a row: five block for 15 minutes, then twice as long each time (backend contract, 106). */
export function signInPolicy(limits: Limits): AttemptPolicy {
  return {
    limit: limits.PASSWORD_TRIES,
    blocks: doublingBlocks(limits.LOCK_SECONDS * SECOND, limits.LOCK_MAX_SECONDS * SECOND),
    forgetAfter: limits.LOCK_FORGOTTEN_SECONDS * SECOND,
    forgetFrom: "last",
    blocksTries: true,
  };
}

function doublingBlocks(first: number, longest: number): [number, ...number[]] {
  const blocks: [number, ...number[]] = [Math.min(first, longest)];
  for (let next = first * 2; next < longest * 2; next *= 2) blocks.push(Math.min(next, longest));
  return blocks;
}

/** Attempts key for a username typed in an unknown browser, whether or not an account has the name (S1). */
export function usernameSubject({ keyring }: Pick<Dependencies, "keyring">, username: string): string {
  return `sign-in|user|${steadyIndex(keyring, "username", usernameKey(username))}`;
}

/** Attempts key for one account in a known browser, which strangers can't lock (S107). */
export function browserSubject(accountId: string, browserHash: string): string {
  return `sign-in|browser|${accountId}|${browserHash}`;
}

/** Attempts key for a trusted device. Its tries count separately, so that strangers cannot lock out its owner (S13). */
export function deviceSubject(deviceId: string): string {
  return `sign-in|device|${deviceId}`;
}
