import { defineForm } from "~/forms/form-definition";

/** The one-time code field. */
export const CODE_FIELD = {
  rule: "code",
  label: "common:code.label",
  secret: true,
  sample: "123456",
} as const;

/** A code of an authenticator app, for a sign-in or a change of second factors. */
export const appCodeForm = defineForm(
  "app-code",
  {
    authorizationCode: {
      ...CODE_FIELD,
      rule: "appCode",
      label: "factors:appCode.label",
      refusedByBackend: "factors:appCode.wrong",
    },
  },
  { switches: ["trustDevice"] },
);

/** The recovery code, for a sign-in. */
export const recoveryCodeForm = defineForm(
  "recovery-code",
  {
    authorizationCode: {
      rule: "recoveryCode",
      label: "factors:recovery.label",
      refusedByBackend: "factors:recovery.wrong",
      secret: true,
      sample: "GALL-ERYC-ODEG-ALLE-RYCO-DE27",
    },
  },
  { switches: ["trustDevice"] },
);

/** A passkey's answer, for a sign-in or a change of second factors. */
export const passkeyForm = defineForm(
  "passkey",
  {
    response: {
      rule: "passkey",
      label: "factors:passkey.label",
      refusedByBackend: "factors:passkey.wrong",
      secret: true,
      sample: "{}",
    },
  },
  { switches: ["trustDevice"] },
);

/** A code that was sent for a change of second factors. */
export const factorCodeForm = defineForm("factor-code", { authorizationCode: CODE_FIELD });

/** `/home`, `/home/remind-login-final`. The password is passed on as typed. */
export const signInForm = defineForm("sign-in", {
  username: { rule: "identifier", label: "signIn:username.label", sample: "anna.nowak" },
  password: { rule: "text", label: "signIn:password.label", secret: true, sample: "Inne-Haslo-2026" },
});

/** `/home/set-password`, `/home/reset-password-submit`, `/home/change-password`. */
export const newPasswordForm = defineForm("new-password", {
  authorizationCode: CODE_FIELD,
  newPassword: {
    rule: "newPassword",
    label: "password:new.label",
    secret: true,
    sample: "Nowe-Haslo-2026",
  },
  newPasswordRepeat: {
    rule: "repeatedPassword",
    repeats: "newPassword",
    label: "password:repeat.label",
    secret: true,
  },
});

/** `/home/confirm-login`, `/cp/profile`: buttons but no fields. */
export const buttonsOnlyForm = defineForm("actions", {});
