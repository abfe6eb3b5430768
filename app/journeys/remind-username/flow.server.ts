import { z } from "zod";
import { defineCodeFlow, defineFlow } from "~/visit/flow.server";

const STARTS_AT = "/home/remind-login-init";

/** A username reminder, between policy number and code. */
export const usernameReminder = defineCodeFlow("remind-username", STARTS_AT, { policyNo: z.string() });

/** The username that a reminder found, for the sign-in form that follows. */
export const remindedUsername = defineFlow("reminded", STARTS_AT, { username: z.string() });
