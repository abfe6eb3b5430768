import { METHODS, type Method } from "~/contract/factors.server";
import type { FormDefinition } from "~/forms/form-definition";
import type { Visit } from "~/visit/visit.server";
import { appCodeForm, passkeyForm, recoveryCodeForm } from "./forms";

/** Whether there is a method besides the SMS. */
export function isChoice(methods: readonly Method[]): boolean {
  return methods.some((method) => method !== "sms");
}

/** The methods that these screens support, in the backend's order. */
export function knownMethods(names: readonly string[] | undefined): readonly Method[] {
  return (names ?? []).flatMap((name) => METHODS.filter((method) => method === name));
}

/** The method that a request names: in its form's field, or in its query. Unknown methods are ignored. */
export async function requestedMethod(visit: Visit): Promise<Method | undefined> {
  const { request } = visit;
  const posted = request.method === "POST" ? (await visit.posted()).get("method") : null;
  const named = posted ?? new URL(request.url).searchParams.get("method");
  return METHODS.find((method) => method === named);
}

/** The method of a posted form; undefined for a passkey that the account no longer has. */
export function availableMethod(method: Method | undefined, methods: readonly Method[]): Method | undefined {
  return method === "passkey" && !methods.includes(method) ? undefined : method;
}

/** The address of a screen with this method. */
export function methodAddress(here: string, method: Method): string {
  return `${here}${here.includes("?") ? "&" : "?"}method=${method}`;
}

/** A form for each method: the same fields, with another one for the proof. */
export interface FormsByMethod<Field extends string> {
  readonly sms: FormDefinition<Field | "authorizationCode">;
  readonly app: FormDefinition<Field | "authorizationCode">;
  readonly recovery: FormDefinition<Field | "authorizationCode">;
  readonly passkey: FormDefinition<Field | "response">;
}

/** Forms whose only field is the proof. @param sms the form for a code by SMS */
export function proofForms(sms: FormDefinition<"authorizationCode">): FormsByMethod<never> {
  return { sms, app: appCodeForm, recovery: recoveryCodeForm, passkey: passkeyForm };
}

/** The forms for each method. @param form has a field for a code by SMS, and others */
export function formsByMethod<Field extends string>(
  form: FormDefinition<Field>,
): FormsByMethod<Exclude<Field, "authorizationCode">> {
  const sms: FormDefinition = form;
  const withCodeOf = ({ fields }: FormDefinition) => ({ ...sms, fields: { ...sms.fields, ...fields } });
  const { authorizationCode: _code, ...own } = sms.fields;
  const passkey = {
    ...sms,
    names: ["response", ...sms.names.filter((name) => name !== "authorizationCode")],
    fields: { ...own, ...passkeyForm.fields },
  };
  const forms: FormsByMethod<string> = {
    sms,
    app: withCodeOf(appCodeForm),
    recovery: withCodeOf(recoveryCodeForm),
    passkey,
  };
  return forms as FormsByMethod<Exclude<Field, "authorizationCode">>;
}
