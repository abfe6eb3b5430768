import type { FactorKind, Method } from "~/contract/factors.server";
import type { Purpose } from "~/contract/purposes";
import {
  LINK,
  moment,
  NOT_PERSONAL,
  nullable,
  number,
  OWN_ID,
  plain,
  type Registered,
  TOKEN,
  leftOut,
} from "./registry-entry.server";

/** Rows that belong to an account. */
export const OF_ACCOUNT = { of: "account", erasure: { goesWith: "accounts" } } as const;

/** The tables of second factors, as part of the registry. */
export const FACTOR_TABLES = {
  /** Authenticator apps. */
  factors: {
    ...OF_ACCOUNT,
    as: "factors",
    about: "The authenticator apps that confirm the person's sign-ins.",
    kept: () => "until the person removes them, the insurer resets them, or the account is erased",
    columns: {
      id: OWN_ID,
      account_id: LINK,
      kind: plain<Exclude<FactorKind, "passkey">>("kind"),
      name: plain("name"),
      added_at: moment("addedAt"),
      last_used_at: nullable(moment("lastUsedAt")),
      secret_sealed: leftOut("it makes the codes that open the account, and the app has it"),
      /** The last time step whose code was used (RFC 6238). */
      last_step: number(leftOut("when a code was last used, in steps of half a minute")),
    },
  },
  /** Factors that the customer has not confirmed yet: the secret of an app, or what a new passkey has to sign. */
  prepared_factors: {
    ...OF_ACCOUNT,
    as: "factorsBeingAdded",
    about: "An authenticator app or a passkey that the person has begun to add.",
    kept: ({ FACTOR_PREPARED_SECONDS }) =>
      `${FACTOR_PREPARED_SECONDS / 60} minutes at most, and no longer than the session`,
    expires: true,
    columns: {
      account_id: LINK,
      kind: plain<FactorKind>("kind"),
      id: OWN_ID,
      /** The session that prepared it; in another one it doesn't work. */
      session_id: TOKEN,
      secret_sealed: leftOut("it makes the codes that open the account, and the app has it"),
      /** Wrong codes so far. */
      tries: number(plain("wrongTries")),
      ends_at: moment("endsAt"),
      used_at: nullable(moment("addedAt")),
    },
  },
  /** Second factors that a device or a password manager holds the key of. */
  passkeys: {
    ...OF_ACCOUNT,
    as: "passkeys",
    about: "The passkeys that sign the person in, or confirm a sign-in.",
    kept: () => "until the person removes them, the insurer resets them, or the account is erased",
    columns: {
      id: OWN_ID,
      account_id: LINK,
      name: plain("name"),
      added_at: moment("addedAt"),
      last_used_at: nullable(moment("lastUsedAt")),
      /** Its device's name for it: base64url, and no other account's. */
      credential_id: plain("credentialId"),
      /** Its device's name for the account: 32 random bytes, the same for all passkeys of an account. */
      user_handle: leftOut("a random number made by the portal, which the person's device has"),
      public_key_sealed: leftOut("it only checks what the person's device signs"),
      /** How often its device says that it was used; 0 if it doesn't count. */
      counter: number(plain("timesUsed")),
      /** 1 if the device last asked who uses it (a PIN, a finger), else 0. */
      user_verified: number(plain("askedForPersonLast")),
      /** How browsers reach the device: names of WebAuthn with commas between them. */
      transports: plain("reachedBy"),
      /** 1 if it signs in without a username, 0 if not; null if its browser didn't say, or an earlier release added it. */
      discoverable: nullable(number(plain("signsInWithoutUsername"))),
      /** 1 if its device may copy it to others, else 0; null from an earlier release. */
      backup_eligible: nullable(number(plain("mayBeCopied"))),
      /** 1 if it has been copied, when it was last used; null from an earlier release, until then. */
      backed_up: nullable(number(plain("copied"))),
      /** The model of its device or password manager (WebAuthn, AAGUID); null from an earlier release. */
      aaguid: nullable(plain("deviceModel")),
    },
  },
  /** Challenges for any passkey to sign in with. A browser has three places, and no row names an account. */
  passkey_sign_ins: {
    of: "no person",
    as: null,
    about: "random numbers that a browser was asked to have signed; no row names an account",
    kept: ({ PASSKEY_CHALLENGE_SECONDS }) => `${PASSKEY_CHALLENGE_SECONDS / 60} minutes`,
    expires: true,
    erasure: { keeps: "nothing in it is about a person" },
    columns: {
      /** Hash of the browser's cookie. */
      browser_hash: TOKEN,
      /** 0, 1 or 2. */
      slot: number(NOT_PERSONAL),
      id: NOT_PERSONAL,
      challenge: NOT_PERSONAL,
      ends_at: number(NOT_PERSONAL),
      /** When it was answered, rightly or not. */
      used_at: nullable(number(NOT_PERSONAL)),
      /** Hash of the right answer, which may come twice. */
      answer_hash: nullable(NOT_PERSONAL),
    },
  },
  /** Challenges for passkeys to sign. Each browser has one row for an account and a purpose. */
  passkey_challenges: {
    ...OF_ACCOUNT,
    as: "passkeyChallenges",
    about: "What a passkey was asked to sign.",
    kept: ({ PASSKEY_CHALLENGE_SECONDS }) => `${PASSKEY_CHALLENGE_SECONDS / 60} minutes`,
    expires: true,
    columns: {
      browser_hash: TOKEN,
      account_id: LINK,
      purpose: plain<Purpose>("purpose"),
      id: OWN_ID,
      challenge: leftOut("a random number made by the portal"),
      ends_at: moment("endsAt"),
    },
  },
  /** An account with a factor has a row; without one it has none. */
  factor_settings: {
    ...OF_ACCOUNT,
    as: "signInConfirmation",
    about: "How sign-ins are confirmed, for a person with an authenticator app or a passkey.",
    kept: () => "as long as there is an authenticator app or a passkey",
    columns: {
      account_id: LINK,
      /** Whether a code by SMS confirms a sign-in or a change of factors. */
      sms: plain<"on" | "off">("codesBySms"),
      /** The method that confirmed the last sign-in, or was added since. */
      last_method: plain<Exclude<Method, "recovery">>("lastUsed"),
      /** When the password was reset; null once a factor has confirmed a sign-in since. */
      reset_at: nullable(moment("passwordResetAt")),
      /** The hash of the recovery code. */
      recovery_sealed: nullable(leftOut("a recovery code can't be read, only compared")),
      recovery_set_at: nullable(moment("recoveryCodeSetAt")),
      /** 0 until the customer has shown that the code is written down; then 1. */
      recovery_kept: number(plain("recoveryCodeWrittenDown")),
      /** Wrong codes in unknown browsers since the last right one. */
      wrong_in_row: number(plain("wrongCodesInARow")),
    },
  },
} satisfies Readonly<Record<string, Registered>>;
