import { defineForm } from "~/forms/form-definition";
import { identifier } from "~/forms/rules/field-rules";

/** `/home/reset-password-init`. */
export const resetPasswordForm = defineForm("reset-password", {
  username: { rule: identifier, label: "signIn:username.label" },
});
