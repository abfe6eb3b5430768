import { oncePerLanguage, type Translate, words } from "~/i18n/texts.server";
import { clockTimeInPoland, timeInPoland } from "~/i18n/times.server";
import { environment } from "~/platform/config/environment.server";
import { isoDayInPoland } from "~/platform/time.server";
import type { MaskedNumber } from "~/ui/phone";
import type { SentCode } from "~/visit/flow.server";
import type { Visit } from "~/visit/visit.server";

/** The words around every code field. */
export const codeWords = oncePerLanguage((t) => {
  return {
    ...words(t, {
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
      warning: "common:a11y.warning",
    }),
    throttleMs: environment().limits.RESEND_THROTTLE_MS,
    help: [
      t("common:phone.changed"),
      t("common:codeHelp.item2"),
      t("common:codeHelp.item3"),
      t("common:codeHelp.item4"),
    ],
  };
});

/** The same for signed-out visitors, with a hint that their details may contain a typing mistake (F12). */
export const openCodeWords = oncePerLanguage((t) => {
  const common = codeWords(t);
  return { ...common, help: [t("common:codeHelp.item1"), ...common.help] };
});

/** A screen's words about its code. `sentTo`: the number in `status`, if it names one. */
export interface CodeStatus {
  readonly codeSent: boolean;
  /** When (ms since 1970): tells the form of an older flow from that of one begun since in another tab. */
  readonly sentAt?: number | undefined;
  readonly status: string;
  /** The button that sends a code has just been pressed, so the empty field has the focus (F31). */
  readonly focusesCode?: boolean | undefined;
  readonly sentTo?: MaskedNumber | undefined;
  /** No code can be sent for now, and `status` says until when (F33). */
  readonly stopped?: boolean | undefined;
}

const MS_IN_SECOND = 1000;

/** The end of a code's time, as the screen names it. */
function validUntil(codeSentAt: number): number {
  return codeSentAt + environment().limits.CODE_LIFETIME_SECONDS * MS_IN_SECOND;
}

/** The time at which the code of a flow has lost its validity; undefined before it, or if the flow knows of no code. */
export function codeEndedAt(t: Translate, flow: SentCode | undefined): string | undefined {
  if (flow?.codeSentAt === undefined) return undefined;
  const end = validUntil(flow.codeSentAt);
  return Date.now() < end ? undefined : clockTimeInPoland(t, end);
}

/**
 * The status line about the code.
 * @param neutral for signed-out visitors, who must not learn whether the details match a customer (S3), where a code
 *   went or until when it is valid; a resend shows only its time, so that each press changes the text (F13)
 * @param phone where the first code will go, masked, if the backend says so
 */
export function codeStatus(
  t: Translate,
  flow: SentCode | undefined,
  neutral: boolean,
  phone?: string,
): CodeStatus {
  if (flow?.codeSentAt === undefined) {
    if (phone === undefined) return { codeSent: false, status: t("common:code.before") };
    const status = t("common:code.beforeTo", { number: phone });
    return { codeSent: false, status, sentTo: maskedNumber(t, phone) };
  }
  const { codeSentAt, resent, sentTo } = flow;
  const sent = { codeSent: true, sentAt: codeSentAt, focusesCode: flow.pressed };
  const time = clockTimeInPoland(t, codeSentAt);
  if (neutral) {
    return {
      ...sent,
      status: resent ? t("common:code.resentNeutral", { time }) : t("common:code.sentNeutral"),
    };
  }
  const times = { time, until: clockTimeInPoland(t, validUntil(codeSentAt)) };
  if (sentTo === undefined) {
    return { ...sent, status: t(resent ? "common:code.resent" : "common:code.sent", times) };
  }
  const status = t(resent ? "common:code.resentTo" : "common:code.sentTo", { ...times, number: sentTo });
  return { ...sent, status, sentTo: maskedNumber(t, sentTo) };
}

/**
 * The status line in a session. Before a code was sent, it names the number that it will go to, if the backend tells.
 */
export async function codeStatusInSession(visit: Visit, flow: SentCode | undefined): Promise<CodeStatus> {
  if (flow?.codeSentAt !== undefined) return codeStatus(visit.t, flow, false);
  const profile = await visit.backend.call("profile", {});
  return codeStatus(visit.t, flow, false, profile.kind === "done" ? profile.value.phone : undefined);
}

/**
 * A code screen's words while no code can be sent: until when, and whom to call (F33).
 * @param until the time from which one can be sent again, in ms since 1970
 */
export function stoppedCode(t: Translate, flow: SentCode | undefined, until: number): CodeStatus {
  const isToday = isoDayInPoland(until) === isoDayInPoland(Date.now());
  const time = isToday ? clockTimeInPoland(t, until) : timeInPoland(t, until);
  return {
    codeSent: flow?.codeSentAt !== undefined,
    status: t("common:code.stopped", { time }),
    stopped: true,
  };
}

/** The words of the details typed on the screen before. */
export const typedWords = oncePerLanguage((t) =>
  words(t, {
    policyNo: "common:typed.policyNo",
    pid: "common:typed.pid",
    correct: "common:typed.correct",
  }),
);

const SHOWN_END = 2;
const MASK = "•••••••••";

/** A personal identifier masked except for its end (F36); undefined if it is hardly longer than that. */
export function maskedIdentifier(t: Translate, typed: string): MaskedNumber | undefined {
  const characters = [...typed];
  if (characters.length <= 2 * SHOWN_END) return undefined;
  const end = characters.slice(-SHOWN_END);
  return { shown: MASK + end.join(""), spoken: t("common:code.numberEnding", { digits: end.join(" ") }) };
}

/** A masked number with the words that a screen reader says instead of its dots. */
export function maskedNumber(t: Translate, shown: string): MaskedNumber {
  const digits = [...shown.replace(/\D/g, "")].join(" ");
  return { shown, spoken: t("common:code.numberEnding", { digits }) };
}
