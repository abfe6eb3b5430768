import { SENT_AT } from "~/gallery/screen-state.server";

/** A code as typed. */
export const TYPED_CODE = { authorizationCode: "123456" } as const;

/** A new password as typed. */
export const TYPED_PASSWORDS = {
  ...TYPED_CODE,
  newPassword: "Nowe-Haslo-2026",
  newPasswordRepeat: "Nowe-Haslo-2026",
} as const;

/** A new password that is easy to guess, as typed. */
export const WEAK_PASSWORDS = {
  ...TYPED_CODE,
  newPassword: "Warszawa1944!",
  newPasswordRepeat: "Warszawa1944!",
} as const;

/** Breaks as many rules of a new password as one form can. */
export const RULES_BROKEN_PASSWORDS = {
  authorizationCode: "12a456",
  newPassword: "za krótkie",
  newPasswordRepeat: "inne",
} as const;

/** What a flow remembers about a code that was sent once. */
export const CODE_SENT = { codeSentAt: SENT_AT, resent: false } as const;

/** The same if the backend says where the code went: after a right password or in a session. */
export const CODE_SENT_TO = { ...CODE_SENT, sentTo: "••• ••• 001" } as const;

/** The form's main button. */
export const CONFIRM = { intent: "confirm" } as const;
