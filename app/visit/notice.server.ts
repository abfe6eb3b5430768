import { z } from "zod";
import type { TextKey } from "~/i18n/words.server";
import { defineFlow } from "./flow.server";

/** What the next screen has to say of something that ended. It travels in the flow cookie, and is said once. */
export interface Notice {
  readonly kind: "success" | "warning" | "info";
  /** Keys of `locales`; more than one are said one after the other. */
  readonly texts: readonly TextKey[];
}

/** The notice as the flow cookie carries it. */
export const noticeFlow = defineFlow("notice", "/home", {
  kind: z.enum(["success", "warning", "info"]),
  // Sealed by this portal, so these are keys: of this release, or of the one before it.
  texts: z.array(z.string() as unknown as z.ZodType<TextKey>).readonly(),
});

/** The session has ended meanwhile. */
export const SESSION_EXPIRED: Notice = {
  kind: "info",
  texts: ["common:session.expired", "common:session.expiredReason"],
};
/** What was remembered of a flow has expired: it starts again. */
export const STEP_LOST: Notice = { kind: "warning", texts: ["common:session.stepLost"] };
