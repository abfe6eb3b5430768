import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";
import type { Notice } from "~/visit/notice.server";

/**
 * A change of username. `username`: the one that the code was requested for; it stays what it was while the change is
 * confirmed twice. `origin`: the screen where the change began. What was typed survives a new code.
 */
export const usernameChange = defineCodeFlow("change-username", "/home/change-login", {
  username: z.string(),
  origin: z.enum(["/home/confirm-login", "/cp/profile"]),
  newUsername: z.string().default(""),
  newUsernameRepeat: z.string().default(""),
});

export const USERNAME_CHANGED: Notice = { kind: "success", texts: ["cp:result.username"] };
