import { z } from "zod";
import { defineForm } from "~/forms/form-definition";
import { type Notice, defineCodeFlow, remembering } from "~/visit/flow.server";
import { METHOD_MEMORY } from "../kit/flows";
import { CODE_FIELD } from "../kit/forms";
import { inWays } from "../kit/ways";

/** `/home/change-login`. */
export const newUsernameForm = defineForm("new-username", {
  authorizationCode: CODE_FIELD,
  newUsername: { rule: "newUsername", label: "username:change.new", sample: "anna.n" },
  newUsernameRepeat: { rule: "repeatedUsername", repeats: "newUsername", label: "username:change.repeat" },
});

/** The same for each way to confirm it. */
export const newUsernameForms = inWays(newUsernameForm, ["newUsername", "newUsernameRepeat"]);

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
