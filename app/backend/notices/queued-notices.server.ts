import { brand, helplinePhone } from "~/platform/config/brand.server";
import type { Environment } from "~/platform/config/environment.server";
import { sendsMail } from "~/platform/config/mail-variables.server";
import { sendsNotices } from "~/platform/config/sms-variables.server";
import { log } from "~/platform/telemetry/log.server";
import { systemClock } from "~/platform/time.server";
import { putMail } from "../messages/mail-channel.server";
import { outboxQueue } from "../messages/outbox.server";
import { putSms } from "../messages/sms-channel.server";
import type { Keyring } from "../secrets/keyring.server";
import type { NoticeDependencies } from "./notices.server";

/** Makes the texts of notices, from the insurer's name in messages and its helpline. */
export type MakeNoticeTexts = (
  smsName: string,
  helpline: string,
) => NonNullable<NoticeDependencies["noticeTexts"]>;

/**
 * The dependencies of an act of staff for telling a customer by SMS and e-mail. A serving portal sends the messages.
 */
export function queuedNotices(
  keyring: Keyring,
  settings: Environment,
  makeTexts: MakeNoticeTexts,
): NoticeDependencies {
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
    noticeTexts: sendsNotices(settings) ? makeTexts(smsName, helplinePhone(phones)) : undefined,
  };
}
