import { defineForm } from "~/forms/form-definition";
import { defineCodeFlow, remembering } from "~/visit/flow.server";

/** `/home/remind-login-init`. Firefox would take a field for the username if "username" were in its id (F32). */
export const remindUsernameForm = defineForm("send-reminder-code", {
  policyNo: { rule: "number", label: "username:remindInit.policyNo", sample: "POL-100001" },
});

/** A username reminder, between policy number and code. */
export const usernameReminder = defineCodeFlow(
  "remind-username",
  "/home/remind-login-init",
  remembering(remindUsernameForm.kept),
);
