import { z } from "zod";
import { type Notice, defineCodeFlow } from "~/visit/flow.server";

/**
 * A username change. `username`: the one that the code was requested for, also when the change is confirmed twice.
 * `origin`: the screen where the change started. Typed values survive a resend.
 */
export const usernameChange = defineCodeFlow("change-username", "/home/change-login", {
  username: z.string(),
  origin: z.enum(["/home/confirm-login", "/cp/profile"]),
  newUsername: z.string().default(""),
  newUsernameRepeat: z.string().default(""),
});

export const USERNAME_CHANGED: Notice = { kind: "success", texts: ["cp:result.username"] };
