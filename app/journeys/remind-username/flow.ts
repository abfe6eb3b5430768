import { defineCodeFlow, remembering } from "~/visit/flow.server";
import { remindUsernameForm } from "./forms";

/** A username reminder, between policy number and code. */
export const usernameReminder = defineCodeFlow(
  "remind-username",
  "/home/remind-login-init",
  remembering(remindUsernameForm.kept),
);
