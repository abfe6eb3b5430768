import { defineForm } from "~/forms/form-definition";
import { CODE_FIELD } from "../kit/forms";

/** `/home/mfa`. */
export const signInCodeForm = defineForm(
  "sign-in-code",
  { authorizationCode: CODE_FIELD },
  { switches: ["trustDevice"] },
);
