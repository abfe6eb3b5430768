import { createHash } from "node:crypto";
import { brokenUsernameRule, readUsername } from "~/contract/rules";
import { defineForm } from "~/forms/form-definition";
import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";

/** `/home/reset-password-init`. With "code" in its field's id, Firefox doesn't take a form for a sign-in form (F32). */
export const resetPasswordForm = defineForm("send-reset-code", {
  username: { rule: "identifier", label: "signIn:username.label", sample: "anna.nowak" },
});

/** A password reset, between its two screens. */
export const passwordReset = defineCodeFlow(
  "reset-password",
  "/home/reset-password-init",
  remembering(resetPasswordForm.kept),
);

export const PASSWORD_RESET: Notice = { kind: "success", texts: ["signIn:status.passwordReset"] };

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
