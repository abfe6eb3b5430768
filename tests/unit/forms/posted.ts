import type { FormDefinition } from "~/forms/form-definition";
import { openForm } from "~/forms/open-form.server";

/** The fields of a form that are never sent back. */
export function secretFields(form: FormDefinition): readonly string[] {
  return form.names.filter((field) => !form.kept.includes(field));
}

/** Opens a form the way its screen's action does. */
export function post(form: FormDefinition, posted: Readonly<Record<string, string>>) {
  return postPairs(form, Object.entries(posted));
}

/** The same with ordered pairs, in which a name may repeat. */
export function postPairs(form: FormDefinition, posted: readonly (readonly [string, string])[]) {
  return postBody(form, new URLSearchParams(posted.map(([name, value]) => [name, value])).toString());
}

/** The same with a raw body. */
export function postBody(form: FormDefinition, body: string) {
  return Promise.resolve().then(() => openForm(new URLSearchParams(body), form));
}

/** The status of the response that `work` throws. */
export async function thrownStatus(work: Promise<unknown>): Promise<number | undefined> {
  try {
    await work;
    return undefined;
  } catch (thrown) {
    const answer = thrown as { readonly init?: ResponseInit | null };
    return answer.init?.status;
  }
}
