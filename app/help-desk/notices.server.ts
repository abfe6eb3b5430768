import { queuedNotices } from "~/backend/index.server";
import { noticeTexts } from "~/i18n/sms-texts.server";
import type { HelpDesk } from "./screen";

/** The dependencies of an act, with the queues and texts of the notices that it sends. */
export function withNotices({ store, keyring, limits, clock, settings }: HelpDesk) {
  return { ...queuedNotices(keyring, settings, noticeTexts), store, keyring, limits, clock };
}
