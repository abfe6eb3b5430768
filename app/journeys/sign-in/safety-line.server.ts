import type { Translate } from "~/i18n/texts.server";
import { environment } from "~/platform/config/environment.server";

/** Says what our pages never ask for. Names their host only if the operator has set it: a request may claim any. */
export function safetyLine(t: Translate): string {
  const { PUBLIC_ORIGIN } = environment();
  return PUBLIC_ORIGIN === undefined
    ? t("signIn:safetyWithoutHost")
    : t("signIn:safety", { host: new URL(PUBLIC_ORIGIN).host });
}
