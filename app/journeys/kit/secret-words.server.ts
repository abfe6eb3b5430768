import { oncePerLanguage } from "~/i18n/texts.server";
import type { SecretWords } from "./secret-field";

/** The words of the show/hide toggle, for any field. */
export const secretWords = oncePerLanguage((t): SecretWords => {
  const label = "{{label}}";
  return {
    show: t("common:field.show"),
    hide: t("common:field.hide"),
    showChars: t("common:field.showChars", { label }),
    hideChars: t("common:field.hideChars", { label }),
    charsShown: t("common:field.charsShown"),
    charsHidden: t("common:field.charsHidden"),
    capsLock: t("common:field.capsLock"),
  };
});
