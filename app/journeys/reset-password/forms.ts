import { defineForm } from "~/forms/form-definition";

/** `/home/reset-password-init`. With "code" in its field's id, Firefox doesn't take a form for a sign-in form (F32). */
export const resetPasswordForm = defineForm("send-reset-code", {
  username: { rule: "identifier", label: "signIn:username.label", sample: "anna.nowak" },
});
