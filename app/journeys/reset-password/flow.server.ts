import { z } from "zod";
import { type Notice, defineCodeFlow } from "~/visit/flow.server";

/** A password reset, between its two screens. */
export const passwordReset = defineCodeFlow("reset-password", "/home/reset-password-init", {
  username: z.string(),
});

export const PASSWORD_RESET: Notice = { kind: "success", texts: ["signIn:status.passwordReset"] };
