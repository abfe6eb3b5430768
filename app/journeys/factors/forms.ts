import { defineForm } from "~/forms/form-definition";

/** A new authenticator app: a code that it shows, and its name. */
export const newAppForm = defineForm("new-app", {
  code: {
    rule: "appCode",
    label: "factors:appCode.label",
    refusedByBackend: "factors:appCode.wrong",
    secret: true,
    sample: "123456",
  },
  name: {
    rule: "factorName",
    label: "factors:name.label",
    optional: true,
    refusedByBackend: "factors:name.refused",
    sample: "Tablet",
  },
});

/** A new passkey: its device's answer, and its name. */
export const newPasskeyForm = defineForm("new-passkey", {
  response: {
    rule: "passkey",
    label: "factors:passkey.label",
    refusedByBackend: "factors:addPasskey.wrong",
    secret: true,
    sample: "{}",
  },
  name: {
    rule: "factorName",
    label: "factors:name.label",
    optional: true,
    refusedByBackend: "factors:name.refused",
    sample: "Tablet",
  },
});

/** The last characters of a recovery code: they show that the customer has it at hand. */
export const recoveryCodeKeptForm = defineForm("recovery-code-kept", {
  last: {
    rule: "identifier",
    label: "factors:recovery.last",
    refusedByBackend: "factors:recovery.notLast",
    secret: true,
    sample: "DE27",
  },
});
