import { defineForm } from "~/forms/form-definition";

/** `/home/register`. */
export const registerForm = defineForm("register", {
  policyNo: { rule: "identifier", label: "register:policyNo.label" },
  pid: { rule: "identifier", label: "register:pid.label", personal: true },
});
