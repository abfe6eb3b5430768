import type { Translate } from "~/i18n/texts.server";
import { brand } from "~/platform/config/brand.server";

/** The title of a sign-in screen: "Potwierdzenie logowania – Logowanie klienta | Tarnea …" (C-02). */
export function signInTitle(t: Translate, page: string): string {
  return t("common:app.titlePage", { page, brand: brand().name });
}

/** The title of a screen of the customer area. */
export function customerTitle(t: Translate, page: string): string {
  return t("common:app.titleCp", { page, brand: brand().name });
}
