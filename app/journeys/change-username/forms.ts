import { readUsername } from "~/contract/identifiers";
import { defineForm } from "~/forms/form-definition";
import { identifier, newUsername } from "~/forms/rules/field-rules";
import { CODE_FIELD } from "../kit/forms";

/** `/home/change-login`. */
export const newUsernameForm = defineForm(
  "new-username",
  {
    authorizationCode: CODE_FIELD,
    newUsername: { rule: newUsername, label: "username:change.new" },
    newUsernameRepeat: {
      rule: (value, values) =>
        identifier(value) ??
        (readUsername(value) === readUsername(values.newUsername) ? undefined : { key: "username.mismatch" }),
      label: "username:change.repeat",
    },
  },
  {
    texts: ["code.digits", "username.length", "username.chars", "username.letter", "username.mismatch"],
  },
);
