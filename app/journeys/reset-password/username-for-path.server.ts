import { createHash } from "node:crypto";
import { readUsername } from "~/contract/identifiers";
import { brokenUsernameRule } from "~/contract/rules";

const DIGITS = 20;

/**
 * A username as it may stand in a URL. What can't be a username (`..`, a slash, half a kilobyte) is replaced by
 * digits, which no username consists of, always the same for the same words: so it is answered and counted like any
 * unknown name, and never reaches a path.
 */
export function usernameForPath(typed: string): string {
  const username = readUsername(typed);
  if (brokenUsernameRule(username) === undefined) return username;
  const digest = createHash("sha256").update(username).digest("hex");
  return BigInt(`0x${digest}`).toString().slice(0, DIGITS);
}
