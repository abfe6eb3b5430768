import type { CatalogueCode } from "~/contract/errors";
import type { FormDefinition } from "./form-definition";
import type { Refusal } from "~/contract/refusal.server";

/**
 * The error catalogue (specification §8) as one table: how each code is shown, and what its button does.
 * `inline`: at the fields, until their value changes. `banner`: above the form, with its fields marked invalid.
 * `modal`: an open dialog in front of the form.
 */
export const ERROR_CATALOGUE = {
  "007": {
    kind: "inline",
    fields: ["authorizationCode"],
    title: "errors:title.code",
    text: "errors:inline.007",
  },
  "010": {
    kind: "inline",
    fields: ["authorizationCode"],
    title: "errors:title.code",
    text: "errors:inline.010",
  },
  "012": {
    kind: "inline",
    fields: ["newUsername"],
    title: "errors:title.username",
    text: "errors:inline.012",
  },
  "013": {
    kind: "inline",
    fields: ["newPassword"],
    title: "errors:title.password",
    text: "errors:inline.013",
  },
  "014": { kind: "modal", texts: "014", button: "to-start" },
  "015": { kind: "modal", texts: "015", button: "to-start" },
  "101": {
    kind: "banner",
    fields: ["username", "password"],
    text: "errors:inline.101",
    hint: "errors:hint.101",
    lastTryHint: "errors:hint.101lastTry",
  },
  "105": { kind: "modal", texts: "105", button: "to-start" },
  "106": { kind: "modal", texts: "106", button: "sign-out" },
  "108": { kind: "modal", texts: "108", button: "to-start" },
  "016": { kind: "modal", texts: "016", button: "new-code" },
} as const satisfies Record<CatalogueCode, CatalogueRow>;

/** How one code is shown. */
type CatalogueRow =
  | {
      readonly kind: "inline";
      readonly fields: readonly string[];
      /** The summary's title: what happened, in a few words. */
      readonly title: string;
      readonly text: string;
    }
  | {
      readonly kind: "banner";
      readonly fields: readonly string[];
      readonly text: string;
      readonly hint: string;
      readonly lastTryHint: string;
    }
  | { readonly kind: "modal"; readonly texts: string; readonly button: DialogButton };

/**
 * What a dialog's confirm button does: forgets the flow and leads to the start page; signs out and ends at the start
 * page; or sends a new code.
 */
export type DialogButton = "to-start" | "sign-out" | "new-code";

/** "Other modal errors: OK goes to the root page and resets the user state." */
const ANY_OTHER_ERROR = {
  kind: "modal",
  texts: "default",
  button: "to-start",
} as const satisfies CatalogueRow;

/**
 * The row of a code on a form with these fields. A code that isn't in the catalogue, or that belongs at fields the form
 * doesn't have (012 at a sign-in code), gets the "any other" row.
 */
export function catalogueRow(
  errorCode: string,
  hasField: (field: string) => boolean,
): (typeof ERROR_CATALOGUE)[keyof typeof ERROR_CATALOGUE] | typeof ANY_OTHER_ERROR {
  if (!Object.hasOwn(ERROR_CATALOGUE, errorCode)) return ANY_OTHER_ERROR;
  const row = ERROR_CATALOGUE[errorCode as keyof typeof ERROR_CATALOGUE];
  return row.kind === "modal" || row.fields.every(hasField) ? row : ANY_OTHER_ERROR;
}

/** Whether a refusal ends the current flow: its dialog leads to the start page. */
export function endsFlow({ rules }: Pick<FormDefinition, "rules">, refused: Refusal): boolean {
  if (refused.kind !== "refused") return false;
  const row = catalogueRow(refused.errorCode, (field) => Object.hasOwn(rules, field));
  return row.kind === "modal" && row.button === "to-start";
}
