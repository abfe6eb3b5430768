import { oncePerLanguage, type Translate } from "~/i18n/texts.server";
import { words } from "~/i18n/words.server";
import { environment } from "~/platform/config/environment.server";

/** What the warning before the end of a session needs: how long sessions last, and its words. */
export function sessionWords(t: Translate) {
  return { limits: limits(), warning: warningIn(t) };
}

function limits() {
  const { SESSION_IDLE_SECONDS, SESSION_MAX_SECONDS } = environment().limits;
  return { idleSeconds: SESSION_IDLE_SECONDS, maxSeconds: SESSION_MAX_SECONDS };
}

const warningIn = oncePerLanguage((t) => {
  const left = (count: number) => t("common:session.warnText", { count });
  return {
    ...words(t, {
      title: "common:session.warnTitle",
      stay: "common:action.stayLoggedIn",
      signOut: "layout:header.logout",
      close: "common:action.close",
    }),
    text: [left(1), left(2)] as const,
  };
});
