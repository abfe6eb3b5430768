import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";
import type { Notice } from "~/visit/notice.server";

/** A password change. `username`: the one that the code was requested for. */
export const passwordChange = defineCodeFlow("change-password", "/home/change-password", {
  username: z.string(),
});

export const PASSWORD_CHANGED: Notice = { kind: "success", texts: ["cp:result.password"] };
