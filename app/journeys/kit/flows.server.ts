import { z } from "zod";
import { defineCodeFlow, defineFlow, noticeFlow } from "~/visit/flow.server";

/** Creating or changing a document password. `documentId`: the document that could not be downloaded without one. */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {
  documentId: z.string().optional(),
});

/**
 * A sign-in between password and code. `trust`: whether to trust this device (on by default, specification §9).
 * `notice`: what the first page behind the sign-in says. `noCodeUntil`: no code can be sent before (ms since 1970).
 */
export const signInFlow = defineCodeFlow("sign-in", "/home", {
  trust: z.boolean().default(true),
  notice: noticeFlow.memory.optional(),
  noCodeUntil: z.number().optional(),
});

/** The username of a sign-in that was refused, for the form that resets its password (F38). */
export const refusedSignIn = defineFlow("refused-sign-in", "/home", { username: z.string() });

/** The username that a reminder found, for the sign-in form that follows. */
export const remindedUsername = defineFlow("reminded", "/home/remind-login-init", { username: z.string() });
