import { z } from "zod";
import { premium } from "./premium.server";

/** The kinds of insurance that have their own icon. */
export const PRODUCTS = ["home", "car", "travel", "life", "health", "business", "other"] as const;
/** A kind of insurance. */
export type Product = (typeof PRODUCTS)[number];

/** The kinds of documents that belong to a policy. `terms` are public, so they are the only ones without a password. */
export const DOCUMENT_KINDS = ["confirmation", "policy", "terms", "letter"] as const;
/** A kind of document. */
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export const ACTIVITY_EVENTS = [
  "signed-in",
  "sign-in-refused",
  "password-changed",
  "password-reset",
  "username-changed",
  "document-password-changed",
  "device-trusted",
  "device-removed",
  "document-downloaded",
  "locked",
  "factor-added",
  "factor-removed",
  "recovery-code-used",
  "recovery-code-new",
  "sms-at-sign-in",
  "factor-guessed",
] as const;
/** Details of an event: the kind of a factor that was added; whether SMS at sign-in were switched on or off. */
export const ACTIVITY_DETAILS = ["app", "passkey", "on", "off"] as const;
/**
 * The ways a session can begin, in the order of reports: by a code or a factor, on a trusted device, with the pass of a
 * password reset, or with the account itself. The audit has them in the `reason` of `signed-in`.
 */
export const SIGN_IN_WAYS = [
  "sms",
  "app",
  "passkey",
  "recovery",
  "trusted-device",
  "after-reset",
  "registration",
] as const;
/** How a session has begun. */
export type SignInWay = (typeof SIGN_IN_WAYS)[number];
/** A detail of an event. */
export type ActivityDetail = (typeof ACTIVITY_DETAILS)[number];

/** The detail that an event may have; undefined for any other text. */
export function detailOf(event: string, detail: string | null | undefined): ActivityDetail | undefined {
  const known = ACTIVITY_DETAILS.find((one) => one === detail);
  const belongsTo = known === "on" || known === "off" ? "sms-at-sign-in" : "factor-added";
  return event === belongsTo ? known : undefined;
}

/** An event in a customer's activity. */
export type ActivityEvent = (typeof ACTIVITY_EVENTS)[number];

const masked = z.string().regex(/^[• ]{1,16}\d{3}$/);

/**
 * A masked phone number, if the backend sends one. Anything else is dropped, so that no page ever shows more than the
 * last three digits (S6).
 */
export const maskedNumber = masked.optional().catch(undefined);

/** The last day of a policy whose cover has no end. */
export const WITHOUT_END = "9999-12-31";

/** A policy in the list. It has a page and documents only if the backend sends `id`. */
export const policy = z.object({
  policyNo: z.string(),
  name: z.string(),
  validFrom: z.iso.date(),
  validTo: z.iso.date(),
  id: z.string().min(1).optional(),
  // An unknown product gets the general icon.
  product: z.enum(PRODUCTS).optional().catch("other"),
  changedOn: z.iso
    .date()
    .optional()
    .catch(undefined)
    .describe("The day, in Poland, on which the data of the policy or its premium last changed, if known."),
  // Without it, or with a fault in it, the policy is shown without money.
  premium: premium.optional().catch(undefined),
});

const policyDocument = z.object({
  id: z.string().min(1),
  name: z.string(),
  kind: z.enum(DOCUMENT_KINDS),
  issuedOn: z.iso.date(),
  bytes: z.int().nonnegative(),
  protected: z.boolean(),
});

/** A policy's page. */
export const policyPage = policy.extend({
  id: z.string().min(1),
  insured: z.string(),
  documents: z.array(policyDocument),
});

/** My Data. A backend may leave out the optional fields. */
export const profile = z.object({
  name: z.string(),
  username: z.string(),
  documentPassword: z.boolean(),
  trustedDevices: z.array(
    z.object({
      id: z.string(),
      deviceName: z.string(),
      trustedAt: z.iso.datetime(),
      expiresAt: z.iso.datetime(),
    }),
  ),
  /** The number that codes go to. */
  phone: maskedNumber,
  /** The number that codes will go to from `from` on. */
  newPhone: z.object({ phone: masked, from: z.iso.datetime() }).optional().catch(undefined),
  /** The sign-in before this session's. */
  lastSignIn: z.object({ at: z.iso.datetime(), deviceName: z.string() }).optional(),
  /** The previous sign-in from this browser; none if it has not signed in to the account lately. */
  lastSignInHere: z.object({ at: z.iso.datetime() }).optional(),
  /** The id of this browser among the trusted devices, if it is one. */
  thisDevice: z.string().optional(),
});

/** The session list, the session last used first. */
export const sessions = z.object({
  sessions: z.array(
    z.object({
      id: z.string().min(1),
      deviceName: z.string(),
      startedAt: z.iso.datetime(),
      lastSeenAt: z.iso.datetime(),
      current: z.boolean(),
    }),
  ),
});

/** The account's recent events, newest first. */
export const activity = z.object({
  events: z.array(
    z.object({
      at: z.iso.datetime(),
      // Unknown events are not shown.
      event: z.enum(ACTIVITY_EVENTS).optional().catch(undefined),
      deviceName: z.string(),
      // Whether it came from the device that asks now, as far as the backend can tell: same name, same address.
      sameDevice: z.boolean().optional(),
      // Whether this browser did it, by its cookie; left out if the backend can't tell.
      here: z.boolean().optional(),
      way: z.enum(SIGN_IN_WAYS).optional().catch(undefined).describe("Of `signed-in`: what confirmed it."),
      detail: z
        .enum(ACTIVITY_DETAILS)
        .optional()
        .catch(undefined)
        .describe("Of `factor-added`: `app` or `passkey`. Of `sms-at-sign-in`: `on` or `off`."),
    }),
  ),
});
