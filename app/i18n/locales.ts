/**
 * The languages that there are: the name of the folder in `locales`, also that of `<html lang>`, and the locale that
 * dates and hours are written in. A further language is a folder and a line here.
 */
export const LOCALES = {
  pl: "pl-PL",
  en: "en-GB",
} as const;
