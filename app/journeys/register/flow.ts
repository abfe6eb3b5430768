import { defineForm } from "~/forms/form-definition";
import { defineCodeFlow, remembering } from "~/visit/flow.server";

/** `/home/register`. */
export const registerForm = defineForm("register", {
  policyNo: { rule: "number", label: "register:policyNo.label", sample: "POL-200001" },
  pid: { rule: "number", label: "register:pid.label", personal: true, sample: "72090811112" },
});

/** A registration, between its two screens. */
export const registration = defineCodeFlow("register", "/home/register", remembering(registerForm.kept));
