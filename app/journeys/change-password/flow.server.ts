import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";

/** A password change. `username`: the username that the code was requested for. */
export const passwordChange = defineCodeFlow("change-password", "/home/change-password", {
  username: z.string(),
});
