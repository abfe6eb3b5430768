import { defineForm } from "~/forms/form-definition";
import { CODE_FIELD } from "../kit/forms";
import { inWays } from "../kit/ways";

/** `/home/change-login`. */
export const newUsernameForm = defineForm("new-username", {
  authorizationCode: CODE_FIELD,
  newUsername: { rule: "newUsername", label: "username:change.new", sample: "anna.n" },
  newUsernameRepeat: { rule: "repeatedUsername", repeats: "newUsername", label: "username:change.repeat" },
});

/** The same for each way to confirm it. */
export const newUsernameForms = inWays(newUsernameForm, ["newUsername", "newUsernameRepeat"]);
