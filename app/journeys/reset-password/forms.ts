import { defineForm } from "~/forms/form-definition";

/** `/home/reset-password-init`. Firefox takes a form with "code" in its field's id for none to sign in with (F32). */
export const resetPasswordForm = defineForm("send-reset-code", {
  username: { rule: "identifier", label: "signIn:username.label", sample: "anna.nowak" },
});
