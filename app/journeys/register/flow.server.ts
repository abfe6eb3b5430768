import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";

/** A registration, between its two screens. */
export const registration = defineCodeFlow("register", "/home/register", {
  policyNo: z.string(),
  pid: z.string(),
});
