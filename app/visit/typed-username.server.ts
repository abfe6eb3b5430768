import { z } from "zod";
import { defineFlow } from "./flow.server";

/**
 * A username typed on an old sign-in page while another customer was signed in (F15). It survives their sign-out, and the
 * sign-in form shows it once. The password that was typed is never kept.
 */
export const typedUsername = defineFlow("typed-username", "/home", { username: z.string() });
