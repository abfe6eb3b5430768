import { z } from "zod";
import { maskedNumber } from "./customer-area.server";
import {
  isCode,
  MAX_TEXT_LENGTH,
  MOST_FACTOR_NAME,
  MOST_PASSKEY_ANSWER,
  NOT_STORABLE,
  readFactorName,
} from "./rules";

/** The kinds of second factors that a customer can add. */
export const FACTOR_KINDS = ["app", "passkey"] as const;
/** A kind of second factor. */
export type FactorKind = (typeof FACTOR_KINDS)[number];

/** The methods to confirm a sign-in, in the order in which they are offered after the one last used. */
export const METHODS = ["app", "passkey", "recovery", "sms"] as const;
/** A method to confirm a sign-in. */
export type Method = (typeof METHODS)[number];
/** A method to confirm a change of factors. */
export type ProofMethod = Exclude<Method, "recovery">;

const text = z
  .string()
  .max(MAX_TEXT_LENGTH)
  .refine((value) => !NOT_STORABLE.test(value));

/** The method of proof in a request. A method that the account can't use is refused like an unknown one. */
export const signInMethod = z
  .enum(METHODS)
  .optional()
  .describe(
    "How the sign-in or the change is confirmed. Without it: the first of `methods`, or `sms` in a confirm.",
  );

/** A method to confirm a change of factors. */
export const proofMethod = z
  .enum(["sms", "app", "passkey"])
  .optional()
  .describe("How the change is confirmed: `sms` if it is missing, `app` or `passkey`.");

/** A one-time code, or one of an app. What can't be one is refused before anything is counted (S118). */
export const sixDigits = text
  .refine(isCode)
  .describe("The code: six digits; white space is ignored. Anything else is 422 and costs no try.");

/** Base64url, as WebAuthn writes bytes in JSON. Anything else counts as a wrong answer, not as a broken rule. */
const bytes = z.string();

function answerOfPasskey<Shape extends z.ZodRawShape>(response: Shape) {
  return z
    .looseObject({
      id: bytes,
      rawId: bytes,
      type: z.string(),
      response: z.looseObject(response),
      clientExtensionResults: z.looseObject({}),
    })
    .refine((answer) => Buffer.byteLength(JSON.stringify(answer)) <= MOST_PASSKEY_ANSWER);
}

/** How a passkey confirms something: `PublicKeyCredential.toJSON()` of a `get()`. */
export const passkeyAnswer = answerOfPasskey({
  clientDataJSON: bytes,
  authenticatorData: bytes,
  signature: bytes,
  userHandle: bytes.nullish(),
}).describe("`PublicKeyCredential.toJSON()` after `navigator.credentials.get()`; 8 KB at most.");
/** The same, as the backend reads it. */
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;

/** A new passkey: `PublicKeyCredential.toJSON()` of a `create()`. */
export const newPasskey = answerOfPasskey({
  clientDataJSON: bytes,
  attestationObject: bytes,
  transports: z.array(z.string()).optional(),
}).describe("`PublicKeyCredential.toJSON()` after `navigator.credentials.create()`; 8 KB at most.");
/** The same, as the backend reads it. */
export type NewPasskey = z.output<typeof newPasskey>;

/** The proof that the customer may change factors. A session opened by a recovery code needs none for a while. */
export const proof = {
  method: proofMethod,
  authorizationCode: sixDigits.optional(),
  response: passkeyAnswer.optional(),
};

/** The customer's name for a factor. */
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

const rpId = z.string().max(253);
const credentialId = z.string().max(2000);
/** The account as its passkeys name it; `id` is the user handle. */
const passkeyUser = z.object({
  id: z.string().max(200),
  name: z.string().max(200),
  displayName: z.string().max(200),
});

/** The factors of a customer, and the kinds that they may add. */
export const factorList = z.object({
  // The portal can't offer a kind that it doesn't know.
  offered: z.array(z.string()),
  factors: z.array(
    z.object({
      id: z.string().min(1),
      kind: z.string(),
      name: z.string(),
      addedAt: z.iso.datetime(),
      lastUsedAt: z.iso.datetime().nullable(),
      // Of a passkey. Whether it signs in without a username; null if its browser didn't say.
      discoverable: z.boolean().nullable().optional(),
      // Of a passkey: whose device or password manager holds it, if that is known.
      maker: z.string().min(1).max(100).optional(),
    }),
  ),
  // `kept`: whether the customer has shown that they wrote it down. If the backend omits it, assume true.
  recoveryCode: z.object({ setAt: z.iso.datetime(), kept: z.boolean().optional() }).nullable(),
  sms: z.boolean(),
  // Data for WebAuthn's signal API (signalAllAcceptedCredentials, signalCurrentUserDetails), so that the browser offers
  // neither a removed passkey nor an old username. Missing: nothing to signal.
  passkeys: z.object({ rpId, user: passkeyUser, credentialIds: z.array(credentialId).max(100) }).optional(),
  // Until then this session, opened by a recovery code, changes factors without a proof.
  withoutProofUntil: z.iso.datetime().optional(),
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
  uri: z
    .string()
    .regex(/^otpauth:\/\/totp\/.*/)
    .max(1000),
});

const challenge = z.string().min(16).max(1000);
const timeout = z.number().optional();
const preferences = z.string().max(50).optional();
const credentials = z
  .array(
    z.object({
      id: credentialId,
      type: z.literal("public-key"),
      transports: z.array(z.string().max(50)).max(20).optional(),
    }),
  )
  .max(100)
  .optional();

/** The options for asking a passkey, as `PublicKeyCredential.parseRequestOptionsFromJSON()` reads it. */
export const requestOptions = z.object({
  challenge,
  rpId: rpId.optional(),
  timeout,
  allowCredentials: credentials,
  userVerification: preferences,
});
/** The same options as a type. */
export type RequestOptions = z.output<typeof requestOptions>;

/** The options for creating a passkey, as `PublicKeyCredential.parseCreationOptionsFromJSON()` reads it. */
export const creationOptions = z.object({
  challenge,
  rp: z.object({ id: rpId.optional(), name: z.string().max(200) }),
  user: passkeyUser,
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.number() })).max(20),
  timeout,
  excludeCredentials: credentials,
  authenticatorSelection: z
    .object({
      residentKey: preferences,
      requireResidentKey: z.boolean().optional(),
      userVerification: preferences,
    })
    .optional(),
  attestation: preferences,
  extensions: z.object({ credProps: z.boolean().optional() }).optional(),
});

/** A passkey that is to be created and confirmed. */
export const preparedPasskey = z.object({ id: z.string().min(1), options: creationOptions });

/** What any passkey of the relying party is asked for a sign-in. */
export const passkeySignInBegun = z.object({ options: requestOptions });

/** The number that the code for a change of factors went to, or the options for asking a passkey. */
export const changeBegun = z.object({ sentTo: maskedNumber, options: requestOptions.optional() });

/** The same for a sign-in or another change, and for an account with factors: how it can be confirmed. */
export const confirmationBegun = changeBegun.extend({
  methods: z.array(z.string()).optional(),
  method: z.string().optional(),
});
