import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";
import { METHOD_MEMORY } from "../kit/flows.server";

/** A password change. `username`: the username that the code was requested for. */
export const passwordChange = defineCodeFlow("change-password", "/home/change-password", {
  username: z.string(),
  ...METHOD_MEMORY,
});
