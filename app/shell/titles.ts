import type { Translate } from "~/i18n/texts.server";

/** The title of a sign-in screen: "Potwierdzenie logowania – Logowanie klienta | Tarnea …" (C-02). */
export function signInTitle(t: Translate, page: string): string {
  return t("common:app.titlePage", { page });
}

/** The title of a problem's page: its heading, after the word for an error. */
export function problemTitle(t: Translate, header: string): string {
  return t("common:app.titleError", { title: signInTitle(t, header) });
}

/** The title of a screen of the customer area. */
export function customerTitle(t: Translate, page: string): string {
  return t("common:app.titleCp", { page });
}
