import type { Translate } from "~/i18n/texts.server";
import type { MaskedNumber } from "~/ui/masked-phone";

/** A masked number with the words that a screen reader says instead of its dots. */
export function maskedNumber(t: Translate, shown: string): MaskedNumber {
  const digits = [...shown.replace(/\D/g, "")].join(" ");
  return { shown, spoken: t("common:code.numberEnding", { digits }) };
}
