import type { Method } from "~/contract/factors.server";
import type { FormDefinition } from "~/forms/form-definition";
import { appCodeForm, passkeyForm, recoveryCodeForm } from "./forms";

/** The field for a code, in each way that has one besides the SMS. */
const CODE_FIELDS = {
  app: appCodeForm.fields.authorizationCode,
  recovery: recoveryCodeForm.fields.authorizationCode,
} as const;

/** A form that is confirmed in each way: the same one, with another field for the code. */
export interface InWays<Field extends string> {
  readonly sms: FormDefinition<Field | "authorizationCode">;
  readonly app: FormDefinition<Field | "authorizationCode">;
  readonly recovery: FormDefinition<Field | "authorizationCode">;
  readonly passkey: FormDefinition<Field | "response">;
}

/** A form with a field for a code by SMS, for each way to confirm it. @param own the names of its other fields */
export function inWays<Field extends string>(
  form: FormDefinition<Field | "authorizationCode">,
  own: readonly Field[],
): InWays<Field> {
  const withCode = (way: keyof typeof CODE_FIELDS) => ({
    ...form,
    fields: { ...form.fields, authorizationCode: CODE_FIELDS[way] },
  });
  const ownFields = Object.fromEntries(own.map((name) => [name, form.fields[name]]));
  const passkey = {
    ...form,
    names: ["response" as const, ...own],
    fields: { ...(ownFields as FormDefinition<Field>["fields"]), ...passkeyForm.fields },
  };
  return { sms: form, app: withCode("app"), recovery: withCode("recovery"), passkey };
}

/**
 * The form for one way; that for a code by SMS if there is no choice. Its type has the field for a code: a form for a
 * passkey is never asked for that one.
 */
export function formInWay<Field extends string>(
  forms: InWays<Field>,
  method: Method | undefined,
): FormDefinition<Field | "authorizationCode"> {
  return forms[method ?? "sms"] as FormDefinition<Field | "authorizationCode">;
}
