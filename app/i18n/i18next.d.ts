import "i18next";
import type { polish } from "./all-texts.server";

declare module "i18next" {
  /** The compiler checks keys: the build fails if a text is missing from `locales/pl`. */
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof polish;
    returnNull: false;
  }
}
