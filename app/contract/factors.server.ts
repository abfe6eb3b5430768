import { z } from "zod";
import { maskedNumber } from "./customer-area.server";
import { isSixDigits, MAX_TEXT_LENGTH, MOST_FACTOR_NAME, NOT_STORABLE, readFactorName } from "./rules";

/** The kinds of second factors that a customer can add. */
export const FACTOR_KINDS = ["app"] as const;
/** A kind of second factor. */
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** The ways to confirm a sign-in, in the order in which they are offered after the one last used. */
export const METHODS = ["app", "recovery", "sms"] as const;
/** A way to confirm a sign-in. */
export type Method = (typeof METHODS)[number];
/** A way to confirm a change of factors. */
export type ProofMethod = Exclude<Method, "recovery">;

const text = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .refine((value) => !NOT_STORABLE.test(value));

/** A way to confirm a sign-in, in a request. One that the account can't use is refused like an unknown one. */
export const signInMethod = z
  .enum(METHODS)
  .optional()
  .describe("How the sign-in is confirmed. Without it: the first of `methods`, or `sms` in a confirm.");

/** A way to confirm a change of factors. */
export const proofMethod = z
  .enum(["sms", "app"])
  .optional()
  .describe("How the change is confirmed: `sms` if it is missing, or `app`.");

/** A code of an authenticator app, or one sent for a change of factors: six digits. */
export const sixDigits = text.refine(isSixDigits).describe("Six digits; white space is ignored.");

/** What proves that the customer may change factors. A session opened by a recovery code needs none for a while. */
export const proof = { method: proofMethod, authorizationCode: sixDigits.optional() };

/** What the customer calls a factor. */
export const factorName = text
  .transform(readFactorName)
  .pipe(
    z
      .string()
      .min(1)
      .refine((name) => [...name].length <= MOST_FACTOR_NAME && !/\p{Cc}/u.test(name)),
  )
  .optional()
  .describe(`1 to ${MOST_FACTOR_NAME} code points after trimming, without control characters.`);

/** The factors of a customer, and what they may add. */
export const factorList = z.object({
  // A kind that this portal doesn't know is none that it can offer.
  offered: z.array(z.string()),
  factors: z.array(
    z.object({
      id: z.string().min(1),
      kind: z.string(),
      name: z.string(),
      addedAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime().nullable(),
    }),
  ),
  recoveryCode: z.object({ setAt: z.iso.datetime() }).nullable(),
  sms: z.boolean(),
});

/** A recovery code as it is shown once. */
const recoveryCode = z.string().min(1).max(64);

/** The answer to a change that may give a new recovery code. */
export const mayGiveRecoveryCode = z.object({ recoveryCode: recoveryCode.optional() });
/** The answer to a change that gives one. */
export const givesRecoveryCode = z.object({ recoveryCode });

/** An authenticator app that is to be confirmed. */
export const preparedApp = z.object({
  id: z.string().min(1),
  secret: z.string().regex(/^[A-Z2-7]{16,128}$/),
  uri: z.string().startsWith("otpauth://totp/").max(1000),
});

/** Where the code went, and for an account with factors: how the sign-in can be confirmed. */
export const activationBegun = z.object({
  sentTo: maskedNumber,
  methods: z.array(z.string()).optional(),
  method: z.string().optional(),
});
