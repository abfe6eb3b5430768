import { z } from "zod";
import { defineCodeFlow } from "~/visit/flow.server";

/** Creating or changing a document password. `documentId`: the document that could not be downloaded without one. */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {
  documentId: z.string().optional(),
});

/**
 * A sign-in between password and code. `trust`: whether to trust this device (on by default, specification §9).
 * `weakness`: of a password that was set a moment ago. `noCodeUntil`: no code can be sent before (ms since 1970).
 */
export const signInFlow = defineCodeFlow("sign-in", "/home", {
  trust: z.boolean().default(true),
  weakness: z.enum(["personal", "common"]).optional(),
  noCodeUntil: z.number().optional(),
});
