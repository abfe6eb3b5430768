/**
 * The portal's languages. The key names the folder in `locales` and is the value of `<html lang>`; the value is the
 * locale for dates and hours. To add a language, add a folder and a line here.
 */
export const LOCALES = {
  pl: "pl-PL",
  en: "en-GB",
} as const;
