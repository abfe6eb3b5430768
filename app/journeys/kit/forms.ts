import { defineForm } from "~/forms/form-definition";

/** The one-time code field. */
export const CODE_FIELD = { rule: "code", label: "common:code.label", secret: true } as const;

/** The texts of a new password's conditions. */
export const PASSWORD_TEXTS = [
  "password.length",
  "password.uppercase",
  "password.digit",
  "password.special",
] as const;

/** `/home`, `/home/remind-login-final`. The password is passed on as typed. */
export const signInForm = defineForm("sign-in", {
  username: { rule: "identifier", label: "signIn:username.label" },
  password: { rule: "text", label: "signIn:password.label", secret: true },
});

/** `/home/set-password`, `/home/reset-password-submit`, `/home/change-password`. */
export const newPasswordForm = defineForm(
  "new-password",
  {
    authorizationCode: CODE_FIELD,
    newPassword: { rule: "newPassword", label: "password:new.label", secret: true },
    newPasswordRepeat: {
      rule: "repeatedPassword",
      repeats: "newPassword",
      label: "password:repeat.label",
      secret: true,
    },
  },
  { texts: ["code.digits", "password.mismatch", ...PASSWORD_TEXTS] },
);

/** `/home/confirm-login`, `/cp/profile`: buttons but no fields. */
export const buttonsOnlyForm = defineForm("actions", {});
