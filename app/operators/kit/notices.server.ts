import { brand, helplinePhone } from "~/platform/config/brand.server";
import { environment, type Environment } from "~/platform/config/environment.server";
import { sendsMail } from "~/platform/config/mail-variables.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { log } from "~/platform/telemetry/log.server";
import { systemClock } from "~/platform/time.server";
import type { Keyring } from "~/backend/secrets/keyring.server";
import type { NoticeDependencies } from "~/backend/notices/notices.server";
import { putMail } from "~/backend/messages/mail-channel.server";
import { outboxQueue } from "~/backend/messages/outbox.server";
import { putSms } from "~/backend/messages/sms-channel.server";

/**
 * The dependencies of an operator's act for telling a customer by SMS and e-mail. A serving portal sends the messages.
 */
export async function noticesOfCommands(
  keyring: Keyring,
  settings: Environment = environment(),
): Promise<NoticeDependencies> {
  // Texts read the configuration when they are loaded, and `doctor` must be able to say what is wrong with it.
  const { noticeTexts } = await import("~/i18n/sms-texts.server");
  const { smsName, phones } = brand();
  const isDemo = settings.PORTAL_MODE === "demo" && settings.SMS_GATEWAY === undefined;
  return {
    keyring,
    limits: settings.limits,
    clock: systemClock,
    log: log(),
    sms: isDemo ? outboxQueue(keyring) : { put: (tx, message) => putSms(tx, keyring, message) },
    mail: sendsMail(settings) ? { put: putMail } : undefined,
    smsPrefixes: settings.SMS_PREFIXES,
    noticeTexts: sendsNotices(settings) ? noticeTexts(smsName, helplinePhone(phones)) : undefined,
  };
}
