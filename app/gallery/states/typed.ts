/** A code as somebody types it. */
export const TYPED_CODE = { authorizationCode: "123456" } as const;

/** What breaks every rule of a new password that a form can break at once. */
export const RULES_BROKEN_PASSWORDS = {
  authorizationCode: "12a456",
  newPassword: "za krótkie",
  newPasswordRepeat: "inne",
} as const;
