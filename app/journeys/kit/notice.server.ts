import { sentences } from "~/i18n/words.server";
import type { Visit } from "~/visit/visit.server";

/** A notice in words, and what kind of news it is. */
export interface NoticeText {
  readonly kind: "success" | "warning" | "info";
  readonly word: string;
  readonly text: string;
}

/** What the screen before left to say, once; it travels with the flow's cookie and needs no scripts. */
export function noticeText(visit: Visit): NoticeText | undefined {
  const notice = visit.takeNotice();
  if (!notice) return undefined;
  const { t } = visit;
  const { kind, texts } = notice;
  return { kind, word: t(`common:a11y.${kind}`), text: sentences(t, texts) };
}
