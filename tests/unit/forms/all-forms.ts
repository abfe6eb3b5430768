import { newUsernameForm } from "~/journeys/change-username/forms";
import { documentPasswordForm } from "~/journeys/document-password/forms";
import { buttonsForm, newPasswordForm, signInForm } from "~/journeys/kit/forms";
import { registerForm } from "~/journeys/register/forms";
import { remindUsernameForm, reminderCodeForm } from "~/journeys/remind-username/forms";
import { resetPasswordForm } from "~/journeys/reset-password/forms";
import { confirmDeviceForm } from "~/journeys/sign-in/forms";

/** Every form of the portal. */
export const FORMS = {
  signIn: signInForm,
  confirmDevice: confirmDeviceForm,
  reminderCode: reminderCodeForm,
  buttons: buttonsForm,
  register: registerForm,
  resetPassword: resetPasswordForm,
  remindUsername: remindUsernameForm,
  newPassword: newPasswordForm,
  documentPassword: documentPasswordForm,
  newUsername: newUsernameForm,
} as const;
