import { newUsernameForm } from "~/journeys/change-username/forms";
import { documentPasswordForm } from "~/journeys/document-password/forms";
import { buttonsOnlyForm, newPasswordForm, signInForm } from "~/journeys/kit/forms";
import { registerForm } from "~/journeys/register/forms";
import { remindUsernameForm, reminderCodeForm } from "~/journeys/remind-username/forms";
import { resetPasswordForm } from "~/journeys/reset-password/forms";
import { signInCodeForm } from "~/journeys/sign-in/forms";

/** Every form of the portal. */
export const FORMS = {
  signIn: signInForm,
  signInCode: signInCodeForm,
  reminderCode: reminderCodeForm,
  buttons: buttonsOnlyForm,
  register: registerForm,
  resetPassword: resetPasswordForm,
  remindUsername: remindUsernameForm,
  newPassword: newPasswordForm,
  documentPassword: documentPasswordForm,
  newUsername: newUsernameForm,
} as const;
