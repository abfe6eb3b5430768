import { z } from "zod";
import type { TextKey } from "~/i18n/words.server";
import { defineFlow } from "./flow.server";

/** What the next screen says, once, about what just happened. It travels in the flow cookie. */
export interface Notice {
  readonly kind: "success" | "warning" | "info";
  /** Keys of `locales`, shown one after the other. */
  readonly texts: readonly TextKey[];
  /** A document that the customer can now download. */
  readonly documentId?: string | undefined;
}

/** The notice as the flow cookie carries it. */
export const noticeFlow = defineFlow("notice", "/home", {
  kind: z.enum(["success", "warning", "info"]),
  // A portal sealed them, so they are keys of this release or the one before.
  texts: z.array(z.string() as unknown as z.ZodType<TextKey>).readonly(),
  documentId: z.string().optional(),
});

/** The session ended in the meantime. */
export const SESSION_EXPIRED: Notice = {
  kind: "info",
  texts: ["common:session.expired", "common:session.expiredReason"],
};
/** The account was locked, has expired or was disabled while its customer was signed in. */
export const ACCOUNT_BARRED: Notice = { kind: "warning", texts: ["common:session.barred"] };
/** The flow's memory has expired, so the flow starts again. */
export const STEP_LOST: Notice = { kind: "warning", texts: ["common:session.stepLost"] };
