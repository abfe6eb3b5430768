import { type Translate, words } from "~/i18n/texts.server";

/** The words of the specimens, taken from the screens that use these components. */
export function specimenWords(t: Translate) {
  return {
    ...words(t, {
      button: "password:submit",
      back: "common:action.back",
      link: "signIn:forgotUsername",
      label: "signIn:username.label",
      hint: "signIn:username.tooltip",
      codeLabel: "common:code.label",
      errorWord: "common:a11y.error",
      empty: "validation:required",
      switchLabel: "signInCode:trust.label",
      question: "layout:logoutModal.header",
      message: "signOut:text",
      wait: "common:loading.default",
      summaryText: "validation:summary.text",
    }),
    alertWords: words(t, {
      error: "common:a11y.error",
      warning: "common:a11y.warning",
      success: "common:a11y.success",
      info: "common:a11y.info",
    }),
    switchStates: { on: t("signInCode:trust.on"), off: t("signInCode:trust.off") },
    summaryTitle: t("validation:summary.title", { count: 1 }),
    checklist: {
      title: t("password:checklist.title"),
      short: t("password:checklist.short"),
      met: t("password:checklist.met"),
      unmet: t("password:checklist.unmet"),
    },
    conditions: [
      { text: t("password:checklist.length"), state: "open" as const },
      { text: t("password:checklist.uppercase"), state: "met" as const },
      { text: t("password:checklist.digit"), state: "missing" as const },
    ],
    steps: [1, 2].map((current) => t("common:a11y.step", { current, total: 2 })),
    facts: [
      { term: t("signIn:username.label"), value: "anna.nowak" },
      { term: t("common:code.label"), value: "123456" },
    ],
  };
}

/** The words that the specimens need. */
export type SpecimenWords = ReturnType<typeof specimenWords>;
