import { createHash } from "node:crypto";
import { brokenUsernameRule, readUsername } from "~/contract/rules";

const DIGITS = 20;

/**
 * A username that is safe in a URL. Anything that can't be a username (`..`, a slash, half a kilobyte) is replaced by
 * digits, always the same for the same input. No username consists of digits only, so the backend treats and counts it
 * like any unknown name, and the input never gets into a path.
 */
export function usernameForPath(typed: string): string {
  const username = readUsername(typed);
  if (brokenUsernameRule(username) === undefined) return username;
  const digest = createHash("sha256").update(username).digest("hex");
  return BigInt(`0x${digest}`).toString().slice(0, DIGITS);
}
