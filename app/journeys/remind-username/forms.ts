import { defineForm } from "~/forms/form-definition";
import { identifier } from "~/forms/rules/field-rules";
import { CODE_FIELD } from "../kit/forms";

/** `/home/remind-login-init`. */
export const remindUsernameForm = defineForm("remind-username", {
  policyNo: { rule: identifier, label: "username:remindInit.policyNo" },
});

/** `/home/remind-login-submit`. */
export const reminderCodeForm = defineForm(
  "reminder-code",
  { authorizationCode: CODE_FIELD },
  { texts: ["code.digits"] },
);
