import { LINK, moment, OWN_ID, type Part, plain, without } from "./person-tables.server";

const PASSWORD = "a password can't be read, only compared";
const TOKEN = "a one-way hash of what a cookie holds";
const KEY = "part of how a secret is encrypted";

const accounts: Part<"accounts"> = {
  as: "account",
  about: "The account in the portal.",
  kept: () => "until it is erased",
  columns: {
    id: plain("id"),
    customer_id: without(LINK),
    username: plain("username"),
    username_key: without("the username once more, in small letters"),
    password_hash: without(PASSWORD),
    pepper_version: without(KEY),
    state: plain("state"),
    created_at: moment("registeredAt"),
  },
};

const passwordHistory: Part<"password_history"> = {
  as: "earlierPasswords",
  about: "When earlier passwords were replaced. Their hashes are kept so that they aren't used again.",
  kept: ({ PASSWORD_HISTORY }) => `the last ${PASSWORD_HISTORY}`,
  columns: {
    id: without(OWN_ID),
    account_id: without(LINK),
    password_hash: without(PASSWORD),
    pepper_version: without(KEY),
    replaced_at: moment("replacedAt"),
  },
};

const usernameChanges: Part<"username_changes"> = {
  as: "usernameChanges",
  about: "When the username was changed. Earlier usernames are not kept.",
  kept: ({ USERNAME_CHANGE_DAYS }) => `${USERNAME_CHANGE_DAYS} days`,
  columns: { id: without(OWN_ID), account_id: without(LINK), changed_at: moment("changedAt") },
};

const documentPasswords: Part<"document_passwords"> = {
  as: "documentPassword",
  about: "If there is one, a document password is set.",
  kept: () => "until the person changes it, or the account is erased",
  columns: {
    account_id: without(LINK),
    key_version: without(KEY),
    wrapped_key: without(KEY),
    password_sealed: without("it opens the person's documents, and they know it"),
    changed_at: moment("setAt"),
  },
};

const sessions: Part<"sessions"> = {
  as: "sessions",
  about: "Where the person is signed in.",
  kept: ({ SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS }) =>
    `${SESSION_IDLE_SECONDS / 60} minutes from the last request, ${SESSION_MAX_SECONDS / 3600} hours at most`,
  columns: {
    id: without(TOKEN),
    account_id: without(LINK),
    state: plain("state"),
    created_at: moment("startedAt"),
    last_seen_at: moment("lastSeenAt"),
    ends_at: moment("endsAt"),
    device_name: plain("deviceName"),
  },
};

const trustedDevices: Part<"trusted_devices"> = {
  as: "trustedDevices",
  about: "Devices on which a sign-in needs no code.",
  kept: ({ TRUSTED_DEVICE_DAYS }) => `${TRUSTED_DEVICE_DAYS} days from the day of trust`,
  columns: {
    id: without(OWN_ID),
    account_id: without(LINK),
    token_hash: without(TOKEN),
    device_name: plain("deviceName"),
    trusted_at: moment("trustedAt"),
    ends_at: moment("trustedUntil"),
    family_hash: without(TOKEN),
    earlier_hash: without(TOKEN),
  },
};

const loginPasses: Part<"login_passes"> = {
  as: "signInPasses",
  about: "After a password reset one sign-in needs no code.",
  kept: ({ LOGIN_PASS_SECONDS }) => `${LOGIN_PASS_SECONDS} seconds`,
  columns: {
    browser_hash: without(TOKEN),
    account_id: without(LINK),
    id: without(OWN_ID),
    key_version: without(KEY),
    ends_at: moment("endsAt"),
    used_at: moment("usedAt"),
  },
};

const knownBrowsers: Part<"known_browsers"> = {
  as: "knownBrowsers",
  about: "Browsers in which the person has signed in with a code.",
  kept: ({ KNOWN_BROWSER_DAYS }) => `${KNOWN_BROWSER_DAYS} days from the last sign-in with a code`,
  columns: {
    browser_hash: without(TOKEN),
    account_id: without(LINK),
    id: without(OWN_ID),
    ends_at: moment("knownUntil"),
  },
};

/** The parts of a person's account. */
export const ACCOUNT_PARTS = {
  accounts,
  password_history: passwordHistory,
  username_changes: usernameChanges,
  document_passwords: documentPasswords,
  sessions,
  trusted_devices: trustedDevices,
  login_passes: loginPasses,
  known_browsers: knownBrowsers,
};
