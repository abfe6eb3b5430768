import { z } from "zod";
import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";
import { METHOD_MEMORY } from "../kit/flows";
import { newUsernameForm } from "./forms";

/**
 * A username change. `username`: the one that the code was requested for, even if the change is confirmed twice.
 * `origin`: the screen where the change started. Typed values survive a resend.
 */
export const usernameChange = defineCodeFlow("change-username", "/home/change-login", {
  username: z.string(),
  origin: z.enum(["/home/confirm-login", "/cp/profile"]),
  ...remembering(newUsernameForm.kept),
  ...METHOD_MEMORY,
});

export const USERNAME_CHANGED: Notice = { kind: "success", texts: ["cp:result.username"] };
