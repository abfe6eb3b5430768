import { defineForm } from "~/forms/form-definition";
import { CODE_FIELD } from "../kit/forms";
import { inWays } from "../kit/ways";

/** `/home/create-document-password`, `/home/change-document-password`. */
export const documentPasswordForm = defineForm(
  // The id that password managers know from earlier releases (C-38).
  "documentPassword",
  {
    authorizationCode: CODE_FIELD,
    password: {
      rule: "newDocumentPassword",
      label: "documentPassword:new",
      secret: true,
      refusedByBackend: "documentPassword:sameAsPortal",
      sample: "Dokument-2026!",
    },
    passwordRepeat: {
      rule: "repeatedDocumentPassword",
      repeats: "password",
      label: "documentPassword:repeat",
      secret: true,
    },
  },
);

/** The same for each way to confirm it. */
export const documentPasswordForms = inWays(documentPasswordForm, ["password", "passwordRepeat"]);
