import type { CallResponse } from "~/contract/calls.server";
import { type Translate, words } from "~/i18n/texts.server";
import type { Visit } from "~/visit/visit.server";

/** Says that a recovery code was shown and never confirmed; undefined if all is well. */
export function unsavedCode(t: Translate, { recoveryCode }: CallResponse<"factors">) {
  if (recoveryCode?.kept !== false) return undefined;
  return words(t, {
    word: "common:a11y.warning",
    text: "factors:recovery.unsaved",
    link: "factors:recovery.unsavedLink",
  });
}

/** The same for the first page after a sign-in, which shows nothing if the list can't be loaded now. */
export async function loadUnsavedCode({ backend, t }: Visit) {
  const list = await backend.call("factors", {});
  return list.kind === "done" ? unsavedCode(t, list.value) : undefined;
}
