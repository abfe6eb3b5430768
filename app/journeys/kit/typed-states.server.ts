import { sampleValues, type FormDefinition } from "~/forms/form-definition";
import { MAIN_INTENT } from "~/forms/screen-form";
import { SENT_AT } from "~/gallery/screen-state.server";
import { CODE_FIELD } from "./forms";

/** A new password that is easy to guess, as typed. */
export const WEAK_PASSWORDS = {
  authorizationCode: CODE_FIELD.sample,
  newPassword: "Warszawa1944!",
  newPasswordRepeat: "Warszawa1944!",
} as const;

/** Breaks as many rules of a new password as one form can. */
export const RULES_BROKEN_PASSWORDS = {
  authorizationCode: "12a456",
  newPassword: "za krótkie",
  newPasswordRepeat: "inne",
} as const;

/** What a flow remembers about a code that was sent once. */
export const CODE_SENT = { codeSentAt: SENT_AT, resent: false } as const;

/** The same if the backend says where the code went: after a right password or in a session. */
export const CODE_SENT_TO = { ...CODE_SENT, sentTo: "••• ••• 001" } as const;

/** The form's main button. */
export const CONFIRM = { intent: MAIN_INTENT } as const;

/** A form as sent by its main button, with a sample in each field. */
export function sampleSent(form: FormDefinition): Readonly<Record<string, string>> {
  return { ...CONFIRM, ...sampleValues(form) };
}
