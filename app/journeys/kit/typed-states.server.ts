import { SENT_AT } from "~/gallery/screen-state.server";

/** A code as somebody types it. */
export const TYPED_CODE = { authorizationCode: "123456" } as const;

/** A new password as somebody types it. */
export const TYPED_PASSWORDS = {
  ...TYPED_CODE,
  newPassword: "Nowe-Haslo-2026",
  newPasswordRepeat: "Nowe-Haslo-2026",
} as const;

/** What breaks every rule of a new password that a form can break at once. */
export const RULES_BROKEN_PASSWORDS = {
  authorizationCode: "12a456",
  newPassword: "za krótkie",
  newPasswordRepeat: "inne",
} as const;

/** What a flow remembers of a code that was sent once. */
export const CODE_SENT = { codeSentAt: SENT_AT, resent: false } as const;

/** The form's main button. */
export const CONFIRM = { intent: "confirm" } as const;
