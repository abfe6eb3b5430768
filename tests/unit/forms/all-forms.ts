import type { FormDefinition } from "~/forms/form-definition";
import { newUsernameForm } from "~/journeys/change-username/forms";
import { documentPasswordForm } from "~/journeys/document-password/form";
import { buttonsOnlyForm, newPasswordForm, signInForm } from "~/journeys/kit/forms";
import { registerForm } from "~/journeys/register/forms";
import { remindUsernameForm, reminderCodeForm } from "~/journeys/remind-username/forms";
import { resetPasswordForm } from "~/journeys/reset-password/forms";
import { signInCodeForm } from "~/journeys/sign-in/mfa";

/** Forms that tests name. */
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

const SOURCES = import.meta.glob<string>("../../../app/journeys/**/*.{ts,tsx}", {
  eager: true,
  query: "?raw",
  import: "default",
});
const MODULES = import.meta.glob<Readonly<Record<string, unknown>>>("../../../app/journeys/**/*.{ts,tsx}");

/** The modules that define forms, wherever they stand. */
const WITH_FORMS = await Promise.all(
  Object.entries(MODULES).flatMap(([path, load]) =>
    /\b(defineForm|inWays)\(/.test(SOURCES[path] ?? "") ? [load()] : [],
  ),
);

function isForm(exported: unknown): exported is FormDefinition {
  return typeof exported === "object" && exported !== null && "names" in exported && "kept" in exported;
}

/** Every form of the portal by the name it is exported under, in each way to confirm it. */
export const ALL_FORMS: readonly (readonly [string, FormDefinition])[] = WITH_FORMS.flatMap((module) =>
  Object.entries(module).flatMap(([name, exported]) => {
    if (isForm(exported)) return [[name, exported] as const];
    // A form with a code is exported in each way to confirm it.
    const ways = typeof exported === "object" && exported !== null ? Object.entries(exported) : [];
    return ways.flatMap(([way, form]) => (isForm(form) ? [[`${name}, ${way}`, form] as const] : []));
  }),
);
