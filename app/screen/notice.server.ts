import type { Translate } from "~/i18n/texts.server";
import { takeNotice, type Notice } from "~/session/flow.server";

/** A notice in words, and what kind of news it is. */
export interface NoticeText {
  readonly kind: "success" | "warning" | "info";
  readonly word: string;
  readonly text: string;
}

const NOTICES = {
  "session-expired": { kind: "info", text: "common:session.expired", why: "common:session.expiredReason" },
  "step-lost": { kind: "warning", text: "common:session.stepLost" },
  "password-changed": { kind: "success", text: "cp:result.password" },
  "password-reset": { kind: "success", text: "login:status.passwordReset" },
  "username-changed": { kind: "success", text: "cp:result.username" },
  "device-removed": { kind: "success", text: "cp:result.device" },
} as const satisfies Record<Notice, { kind: NoticeText["kind"]; text: string; why?: string }>;

/** What the screen before left to say, once; it travels with the flow's cookie and needs no scripts. */
export async function noticeOf(request: Request, t: Translate): Promise<NoticeText | undefined> {
  const notice = await takeNotice(request);
  if (!notice) return undefined;
  const { kind, text, ...more } = NOTICES[notice];
  const why = "why" in more ? ` ${t(more.why)}` : "";
  return { kind, word: t(`common:a11y.${kind}`), text: t(text) + why };
}
