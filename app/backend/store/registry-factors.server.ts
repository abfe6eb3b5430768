import { type Entry, LINK, moment, OWN_ID, plain, TOKEN, under, without } from "./registry-entry.server";

/** Rows that belong to an account. */
export const OF_ACCOUNT = { of: "account", erasure: { goesWith: "accounts" } } as const;

/** The tables of second factors, as part of the registry. */
export const FACTOR_TABLES = {
  factors: {
    ...OF_ACCOUNT,
    as: "factors",
    about: "The authenticator apps that confirm the person's sign-ins.",
    kept: () => "until the person removes them, the insurer resets them, or the account is erased",
    columns: {
      id: OWN_ID,
      account_id: LINK,
      kind: plain("kind"),
      name: plain("name"),
      added_at: moment("addedAt"),
      last_used_at: moment("lastUsedAt"),
      secret_sealed: under("prefix", "it makes the codes that open the account, and the app has it"),
      last_step: without("when a code was last used, in steps of half a minute"),
    },
  },
  prepared_factors: {
    ...OF_ACCOUNT,
    as: "factorsBeingAdded",
    about: "An authenticator app or a passkey that the person has begun to add.",
    kept: ({ FACTOR_PREPARED_SECONDS }) =>
      `${FACTOR_PREPARED_SECONDS / 60} minutes at most, and no longer than the session`,
    setBy: ["FACTOR_PREPARED_SECONDS", "PASSKEY_CHALLENGE_SECONDS"],
    expires: true,
    columns: {
      account_id: LINK,
      kind: plain("kind"),
      id: OWN_ID,
      session_id: TOKEN,
      secret_sealed: under("prefix", "it makes the codes that open the account, and the app has it"),
      tries: plain("wrongTries"),
      ends_at: moment("endsAt"),
      used_at: moment("addedAt"),
    },
  },
  passkeys: {
    ...OF_ACCOUNT,
    as: "passkeys",
    about: "The passkeys that confirm the person's sign-ins.",
    kept: () => "until the person removes them, the insurer resets them, or the account is erased",
    columns: {
      id: OWN_ID,
      account_id: LINK,
      name: plain("name"),
      added_at: moment("addedAt"),
      last_used_at: moment("lastUsedAt"),
      credential_id: plain("credentialId"),
      user_handle: without("a random number made by the portal, which the person's device has"),
      public_key_sealed: under("prefix", "it only checks what the person's device signs"),
      counter: plain("timesUsed"),
      user_verified: plain("askedForPersonLast"),
      transports: plain("reachedBy"),
    },
  },
  passkey_challenges: {
    ...OF_ACCOUNT,
    as: "passkeyChallenges",
    about: "What a passkey was asked to sign.",
    kept: ({ PASSKEY_CHALLENGE_SECONDS }) => `${PASSKEY_CHALLENGE_SECONDS / 60} minutes`,
    setBy: ["PASSKEY_CHALLENGE_SECONDS"],
    expires: true,
    columns: {
      browser_hash: TOKEN,
      account_id: LINK,
      purpose: plain("purpose"),
      id: OWN_ID,
      challenge: without("a random number made by the portal"),
      ends_at: moment("endsAt"),
    },
  },
  factor_settings: {
    ...OF_ACCOUNT,
    as: "signInConfirmation",
    about: "How sign-ins are confirmed, for a person with an authenticator app or a passkey.",
    kept: () => "as long as there is an authenticator app or a passkey",
    columns: {
      account_id: LINK,
      sms: plain("codesBySms"),
      last_method: plain("lastUsed"),
      reset_at: moment("passwordResetAt"),
      recovery_sealed: under("prefix", "a recovery code can't be read, only compared"),
      recovery_set_at: moment("recoveryCodeSetAt"),
      recovery_kept: plain("recoveryCodeWrittenDown"),
      wrong_in_row: plain("wrongCodesInARow"),
    },
  },
} satisfies {
  readonly [Table in
    | "factors"
    | "prepared_factors"
    | "passkeys"
    | "passkey_challenges"
    | "factor_settings"]: Entry<Table>;
};
