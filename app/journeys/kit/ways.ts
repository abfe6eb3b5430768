import { METHODS, type Method } from "~/contract/factors.server";
import type { FormDefinition } from "~/forms/form-definition";
import type { Visit } from "~/visit/visit.server";
import { appCodeForm, passkeyForm, recoveryCodeForm } from "./forms";

/** Whether there is more than the SMS. */
export function isChoice(ways: readonly Method[]): boolean {
  return ways.some((way) => way !== "sms");
}

/** The ways to confirm that these screens know, in the order that the backend gives. */
export function knownWays(methods: readonly string[] | undefined): readonly Method[] {
  return (methods ?? []).flatMap((name) => METHODS.filter((method) => method === name));
}

/**
 * The way to confirm that a request chooses: the one that its form was made for, or that its address names. Unknown
 * ones are ignored.
 */
export async function askedWay(visit: Visit): Promise<Method | undefined> {
  const { request } = visit;
  const posted = request.method === "POST" ? (await visit.posted()).get("method") : null;
  const named = posted ?? new URL(request.url).searchParams.get("method");
  return METHODS.find((method) => method === named);
}

/** The way of a form that was sent. A form for a passkey is shown only to those who have one. */
export function shownPasskey(way: Method | undefined, ways: readonly Method[]): Method | undefined {
  return way === "passkey" && !ways.includes(way) ? undefined : way;
}

/** The address of a screen that confirms in this way. */
export function wayAddress(here: string, method: Method): string {
  return `${here}${here.includes("?") ? "&" : "?"}method=${method}`;
}

/** A form that is confirmed in each way: the same one, with another field for the proof. */
export interface InWays<Field extends string> {
  readonly sms: FormDefinition<Field | "authorizationCode">;
  readonly app: FormDefinition<Field | "authorizationCode">;
  readonly recovery: FormDefinition<Field | "authorizationCode">;
  readonly passkey: FormDefinition<Field | "response">;
}

/** The forms without other fields. @param sms the one for a code by SMS */
export function proofForms(sms: FormDefinition<"authorizationCode">): InWays<never> {
  return { sms, app: appCodeForm, recovery: recoveryCodeForm, passkey: passkeyForm };
}

/** A form with a field for a code by SMS, and others, for each way to confirm it. */
export function inWays<Field extends string>(
  form: FormDefinition<Field>,
): InWays<Exclude<Field, "authorizationCode">> {
  const sms: FormDefinition = form;
  const withCodeOf = ({ fields }: FormDefinition) => ({ ...sms, fields: { ...sms.fields, ...fields } });
  const { authorizationCode: _code, ...own } = sms.fields;
  const passkey = {
    ...sms,
    names: ["response", ...sms.names.filter((name) => name !== "authorizationCode")],
    fields: { ...own, ...passkeyForm.fields },
  };
  const ways: InWays<string> = {
    sms,
    app: withCodeOf(appCodeForm),
    recovery: withCodeOf(recoveryCodeForm),
    passkey,
  };
  return ways as InWays<Exclude<Field, "authorizationCode">>;
}
