import { z } from "zod";
import { FACTOR_KINDS, preparedPasskey, requestOptions } from "~/contract/factors.server";
import { defineCodeFlow, defineFlow, noticeFlow } from "~/visit/flow.server";

/**
 * The account's methods (absent without second factors) and the current one; for a passkey also its challenge and when it
 * was requested (ms since 1970).
 */
export const METHOD_MEMORY = {
  methods: z.array(z.string()).optional(),
  method: z.string().optional(),
  options: requestOptions.optional(),
  askedAt: z.number().optional(),
};

/**
 * Creating or changing a document password. `documentId`: the document that could not be downloaded without one, or
 * `policyId`: the policy on whose page it started.
 */
export const newDocumentPassword = defineCodeFlow("document-password", "/cp/profile", {
  documentId: z.string().optional(),
  policyId: z.string().optional(),
  ...METHOD_MEMORY,
});

/**
 * A sign-in between password and code. `trust`: whether to trust this device (on by default, specification §9).
 * `notice`: shown on the first page after the sign-in. `noCodeUntil`: no code can be sent before (ms since 1970).
 */
export const signInFlow = defineCodeFlow("sign-in", "/home", {
  trust: z.boolean().default(true),
  notice: noticeFlow.memory.optional(),
  noCodeUntil: z.number().optional(),
  ...METHOD_MEMORY,
});

/**
 * A change of second factors. `path`: the screen that it began on. `app`, `passkey`: the new factor, to be confirmed
 * (`preparedAt` in ms since 1970). `recoveryCode`: the code to write down, `after`: the reason for it, and `kind`: that
 * of an added factor. After another change, which the old code has confirmed: `leadsTo`, the screen that it leads to, and
 * its `notice`.
 */
export const factorChange = defineCodeFlow("factor-change", "/cp/profile", {
  path: z.string(),
  ...METHOD_MEMORY,
  app: z.object({ id: z.string(), secret: z.string(), uri: z.string() }).optional(),
  passkey: preparedPasskey.extend({ preparedAt: z.number().optional() }).optional(),
  recoveryCode: z.string().optional(),
  after: z.enum(["added", "recovery", "sign-in", "change"]).optional(),
  kind: z.enum(FACTOR_KINDS).optional(),
  leadsTo: z.string().startsWith("/cp").optional(),
  notice: noticeFlow.memory.optional(),
  lost: z.boolean().optional(),
});

/** The username of a sign-in that was refused, for the form that resets its password (F38). */
export const refusedSignIn = defineFlow("refused-sign-in", "/home", { username: z.string() });

/** The username that a reminder found, for the sign-in form that follows. */
export const remindedUsername = defineFlow("reminded", "/home/remind-login-init", { username: z.string() });
