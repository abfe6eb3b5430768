import { SPECIAL_CHARACTERS } from "~/contract/rules";
import { oncePerLanguage, type Translate, words } from "~/i18n/texts.server";
import { codeWords, openCodeWords } from "./code-words";
import { shownPersonal } from "./password-advice";
import type { PasswordChecklistWords } from "./password-checklist";

/** The three uses of the form for a new password (specification §4: register, change and reset). */
export type NewPasswordMode = "set" | "change" | "reset";

/**
 * The words of the new-password form. Only title, heading and lead differ between the three screens.
 * `username`: if known; password managers save the new password under it (C-33).
 */
export function newPasswordWords(t: Translate, mode: NewPasswordMode, username?: string) {
  return {
    username,
    personal: shownPersonal(username),
    code: mode === "change" ? codeWords(t) : openCodeWords(t),
    checklist: checklistWords(t),
    words: words(t, {
      header: `password:${mode}.header`,
      lead: `password:${mode}.lead`,
      reason: "common:code.reason",
      submit: "password:submit",
      back: "password:back",
      username: "signIn:username.label",
      tip: "password:checklist.tip",
    }),
  };
}

/** The words of the live checklist. */
export const checklistWords = oncePerLanguage((t): PasswordChecklistWords => {
  return {
    ...words(t, {
      length: "password:checklist.length",
      uppercase: "password:checklist.uppercase",
      digit: "password:checklist.digit",
      met: "password:checklist.met",
      unmet: "password:checklist.unmet",
      allMet: "password:checklist.allMet",
      personal: "password:weak.personal",
      common: "password:weak.common",
    }),
    special: t("password:checklist.special", { chars: SPECIAL_CHARACTERS }),
    missing: words(t, {
      length: "password:checklist.missing.length",
      uppercase: "password:checklist.missing.uppercase",
      digit: "password:checklist.missing.digit",
      special: "password:checklist.missing.special",
    }),
    // The browser fills it in as the visitor types.
    summary: t("password:checklist.summary", { missing: "{{missing}}" }),
  };
});
