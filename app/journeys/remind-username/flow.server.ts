import { z } from "zod";
import { defineCodeFlow, defineFlow, remembering } from "~/visit/flow.server";
import { remindUsernameForm } from "./forms";

const STARTS_AT = "/home/remind-login-init";

/** A username reminder, between policy number and code. */
export const usernameReminder = defineCodeFlow(
  "remind-username",
  STARTS_AT,
  remembering(remindUsernameForm.kept),
);

/** The username that a reminder found, for the sign-in form that follows. */
export const remindedUsername = defineFlow("reminded", STARTS_AT, { username: z.string() });
