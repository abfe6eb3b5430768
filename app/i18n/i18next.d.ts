import "i18next";
import type { polish } from "./polish.server";

declare module "i18next" {
  /** Keys are checked by the compiler: a text that is missing from `locales/pl` does not build. */
  interface CustomTypeOptions {
    defaultNS: "common";
    resources: typeof polish;
    returnNull: false;
  }
}
