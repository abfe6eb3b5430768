import { newPasswordForm } from "../kit/forms";
import { inWays } from "../kit/proof-forms";

/** `/home/change-password`, for each way to confirm it. */
export const passwordChangeForms = inWays(newPasswordForm, ["newPassword", "newPasswordRepeat"]);
