import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";
import { METHOD_MEMORY } from "../kit/flows";

/**
 * A password change. `username`: the username that the code was requested for. `secures`: it is the last step of "To nie
 * ja", after which the customer looks at what a stranger may have left.
 */
export const passwordChange = defineCodeFlow("change-password", "/home/change-password", {
  username: z.string(),
  secures: z.boolean().optional(),
  ...METHOD_MEMORY,
});
