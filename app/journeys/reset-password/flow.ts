import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";
import { resetPasswordForm } from "./forms";

/** A password reset, between its two screens. */
export const passwordReset = defineCodeFlow(
  "reset-password",
  "/home/reset-password-init",
  remembering(resetPasswordForm.kept),
);

export const PASSWORD_RESET: Notice = { kind: "success", texts: ["signIn:status.passwordReset"] };
