import { defineForm } from "~/forms/form-definition";
import { CODE_FIELD } from "../kit/forms";

/** `/home/remind-login-init`. Firefox would take a field for the username if "username" were in its id (F32). */
export const remindUsernameForm = defineForm("send-reminder-code", {
  policyNo: { rule: "number", label: "username:remindInit.policyNo", sample: "POL-100001" },
});

/** `/home/remind-login-submit`. */
export const reminderCodeForm = defineForm("reminder-code", { authorizationCode: CODE_FIELD });
