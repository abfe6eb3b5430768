import { oncePerLanguage, type Translate } from "~/i18n/texts.server";
import { clockTimeInPoland } from "~/i18n/times.server";
import { words } from "~/i18n/words.server";
import { environment } from "~/platform/config/environment.server";

/** The words around every code field. */
export const codeWords = oncePerLanguage((t) => {
  return {
    ...words(t, {
      code: "common:code.label",
      codeHint: "common:code.hint",
      allRequired: "common:field.allRequired",
      notShared: "common:code.notShared",
      resend: "common:code.resend",
      send: "common:action.sendCode",
      checking: "common:loading.checking",
      sending: "common:loading.sending",
      wait: "common:code.resendWait",
      afterWrong: "common:code.afterWrong",
      helpTitle: "common:codeHelp.title",
      info: "common:a11y.info",
    }),
    throttleMs: environment().limits.RESEND_THROTTLE_MS,
    help: [
      t("common:codeHelp.item2"),
      t("common:codeHelp.item3"),
      t("common:codeHelp.item4"),
      t("common:codeHelp.item5"),
    ],
  };
});

/** The same for a signed-out visitor, whose details may have a typing mistake (F12). */
export const openCodeWords = oncePerLanguage((t) => {
  const common = codeWords(t);
  return { ...common, help: [t("common:codeHelp.item1"), ...common.help] };
});

/**
 * The status line about the code. `neutral`: for signed-out visitors, who must not learn whether the details match a
 * customer (S3).
 */
export function codeStatus(
  t: Translate,
  flow: { codeSentAt?: number | undefined; resent: boolean } | undefined,
  neutral: boolean,
) {
  if (flow?.codeSentAt === undefined) return { codeSent: false, status: t("common:code.before") };
  const time = clockTimeInPoland(t, flow.codeSentAt);
  if (neutral)
    return {
      codeSent: true,
      status: t(flow.resent ? "common:code.resentNeutral" : "common:code.sentNeutral"),
    };
  return { codeSent: true, status: t(flow.resent ? "common:code.resent" : "common:code.sentAt", { time }) };
}
