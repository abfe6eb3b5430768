import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";

/** A sign-in between password and code. `trust`: whether to trust this device (on by default, specification §9). */
export const signInFlow = defineCodeFlow("sign-in", "/home", { trust: z.boolean().default(true) });
