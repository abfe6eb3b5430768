import type { CallName } from "./calls.server";

const EVERY_CONFIRM = [
  "activateSessionConfirm",
  "registerConfirm",
  "passwordResetConfirm",
  "loginChangeConfirm",
  "loginRemindConfirm",
  "documentPasswordConfirm",
  "appPrepare",
  "passkeyPrepare",
  "newRecoveryCode",
  "smsAtSignIn",
  "removeFactor",
  "stopNewPhone",
] as const;

const SIGN_IN = ["login", "passkeySignInConfirm", "activateSessionInit", "activateSessionConfirm"] as const;

/**
 * The error catalogue (specification §8): the insurer's codes, each with the calls that a backend may refuse with it,
 * how it is shown, its texts, and what its button does. The backend contract adds codes in words, such as `invalid`,
 * `rate-limited` and `busy`.
 */
export const ERROR_CATALOGUE = {
  "007": {
    calls: [...EVERY_CONFIRM, "appConfirm", "passkeyConfirm", "passkeySignInConfirm"],
    kind: "inline",
    fields: ["authorizationCode"],
    title: "errors:title.code",
    text: "errors:inline.007",
  },
  "010": {
    calls: [...EVERY_CONFIRM, "appConfirm", "passkeyConfirm", "passkeySignInConfirm"],
    kind: "inline",
    fields: ["authorizationCode"],
    title: "errors:title.code",
    text: "errors:inline.010",
  },
  "012": {
    calls: ["loginChangeConfirm"],
    kind: "inline",
    fields: ["newUsername"],
    title: "errors:title.username",
    text: "errors:inline.012",
  },
  "013": {
    calls: ["passwordResetConfirm"],
    kind: "inline",
    fields: ["newPassword"],
    title: "errors:title.password",
    text: "errors:inline.013",
  },
  "014": {
    calls: ["registerInit", "registerConfirm"],
    kind: "modal",
    texts: "014",
    button: "to-start",
  },
  "015": {
    calls: ["loginChangeInit", "loginChangeConfirm"],
    kind: "modal",
    texts: "015",
    button: "to-start",
  },
  "016": {
    calls: EVERY_CONFIRM,
    kind: "modal",
    texts: "016",
    button: "new-code",
  },
  "101": {
    calls: ["login"],
    kind: "banner",
    fields: ["username", "password"],
    text: "errors:inline.101",
    hints: { usual: "errors:hint.101", lastTry: "errors:hint.101lastTry" },
    hintsOfKnownUsername: {
      usual: "errors:hint.101passwordOnly",
      lastTry: "errors:hint.101passwordOnlyLastTry",
    },
  },
  "105": {
    calls: SIGN_IN,
    kind: "modal",
    texts: "105",
    button: "to-start",
    isBarred: true,
  },
  "106": {
    calls: SIGN_IN,
    kind: "modal",
    texts: "106",
    button: "sign-out",
    isBarred: true,
  },
  "108": {
    calls: SIGN_IN,
    kind: "modal",
    texts: "108",
    button: "to-start",
    isBarred: true,
  },
} as const satisfies Readonly<Record<string, CatalogueRow>>;

/** A code that the portal knows. A backend may send others, which are "any other modal error". */
export type CatalogueCode = keyof typeof ERROR_CATALOGUE;

/** All codes, in order. */
export const CATALOGUE_CODES = (Object.keys(ERROR_CATALOGUE) as CatalogueCode[]).toSorted();

/** "Other modal errors: OK goes to the root page and resets the user state." */
const ANY_OTHER_ERROR = {
  kind: "modal",
  texts: "default",
  button: "to-start",
} as const;

/**
 * A row of the catalogue. Its texts are keys of `locales`.
 * - `inline`: at its fields, until their value changes
 * - `banner`: above the form, with its fields marked invalid
 * - `modal`: an open dialog in front of the form
 */
type CatalogueRow = {
  /** The calls that a backend may refuse with it. */
  readonly calls: readonly CallName[];
} & (
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
      readonly hints: Hints;
      /** If the portal has filled in the username. */
      readonly hintsOfKnownUsername: Hints;
    }
  | {
      readonly kind: "modal";
      /** The group of its texts in `errors:modal`. */
      readonly texts: string;
      readonly button: DialogButton;
      /** The account can't be used: locked, expired or disabled. */
      readonly isBarred?: true;
    }
);

/** The advice in a banner; `lastTry`: when the next wrong password locks the account. */
interface Hints {
  readonly usual: string;
  readonly lastTry: string;
}

/**
 * The effect of a dialog's confirm button: it forgets the flow and leads to the start page; signs out and ends at the
 * start page; or sends a new code.
 */
export type DialogButton = "to-start" | "sign-out" | "new-code";

/** The row of a code, if the catalogue has it. */
export function rowOf(errorCode: string): (typeof ERROR_CATALOGUE)[CatalogueCode] | undefined {
  return Object.hasOwn(ERROR_CATALOGUE, errorCode) ? ERROR_CATALOGUE[errorCode as CatalogueCode] : undefined;
}

/**
 * How a code is shown on a form with these fields. A code that isn't in the catalogue, or that belongs at fields the
 * form doesn't have (012 at a sign-in code), is "any other error".
 */
export function rowOnForm(errorCode: string, hasField: (field: string) => boolean) {
  const row = rowOf(errorCode) ?? ANY_OTHER_ERROR;
  return row.kind === "modal" || row.fields.every(hasField) ? row : ANY_OTHER_ERROR;
}
