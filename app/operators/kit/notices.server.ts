import { queuedNotices } from "~/backend/index.server";
import type { Keyring, NoticeDependencies } from "~/backend/types";
import { environment } from "~/platform/config/environment.server";

/** The dependencies of a command for telling a customer by SMS and e-mail. */
export async function noticesOfCommands(keyring: Keyring): Promise<NoticeDependencies> {
  // Texts read the configuration when they are loaded, and `doctor` must be able to say what is wrong with it.
  const { noticeTexts } = await import("~/i18n/sms-texts.server");
  return queuedNotices(keyring, environment(), noticeTexts);
}
