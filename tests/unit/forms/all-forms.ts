import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FormDefinition } from "~/forms/form-definition";
import { newUsernameForm } from "~/journeys/change-username/change-login";
import { documentPasswordForm } from "~/journeys/document-password/document-password";
import { buttonsOnlyForm, newPasswordForm, signInForm } from "~/journeys/kit/forms";
import { registerForm } from "~/journeys/register/register";
import { remindUsernameForm } from "~/journeys/remind-username/remind-login-init";
import { reminderCodeForm } from "~/journeys/remind-username/remind-login-submit";
import { resetPasswordForm } from "~/journeys/reset-password/reset-password-init";
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

type Module = Readonly<Record<string, unknown>>;
const LOADERS = import.meta.glob<Module>("../../../app/journeys/**/*.{ts,tsx}");
/** Modules of journeys that define forms, wherever they stand. */
const MODULES = await Promise.all(
  Object.entries(LOADERS)
    .filter(([path]) =>
      /\b(defineForm|formsByMethod)\(/.test(readFileSync(join(import.meta.dirname, path), "utf8")),
    )
    .map(([, load]) => load()),
);

function isForm(exported: unknown): exported is FormDefinition {
  return typeof exported === "object" && exported !== null && "names" in exported && "kept" in exported;
}

/** Every form of the portal by the name it is exported under, in each way to confirm it, with its field names as plain strings. */
export const ALL_FORMS: readonly (readonly [string, FormDefinition])[] = MODULES.flatMap((module) =>
  Object.entries(module).flatMap(([name, exported]) => {
    if (isForm(exported)) return [[name, exported] as const];
    // A form with a code is exported in each way to confirm it.
    const ways = typeof exported === "object" && exported !== null ? Object.entries(exported) : [];
    return ways.flatMap(([way, form]) => (isForm(form) ? [[`${name}, ${way}`, form] as const] : []));
  }),
);
