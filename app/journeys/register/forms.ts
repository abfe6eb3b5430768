import { defineForm } from "~/forms/form-definition";

/** `/home/register`. */
export const registerForm = defineForm("register", {
  policyNo: { rule: "number", label: "register:policyNo.label" },
  pid: { rule: "number", label: "register:pid.label", personal: true },
});
