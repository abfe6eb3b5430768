import { z } from "zod";
import type { MailText } from "~/contract/notices";
import { readPhone } from "~/contract/rules";
import { brand } from "~/platform/config/brand.server";
import type { Environment } from "~/platform/config/environment.server";
import { mailSettings } from "~/platform/config/mail-variables.server";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { UsageError } from "~/platform/lifecycle/operator-errors.server";
import { MINUTE, systemClock } from "~/platform/time.server";
import { orderedId } from "../store/store.server";
import { smsGateways } from "./choose-gateway.server";
import type { Delivery } from "./delivery.server";
import type { SmsGateway } from "./gateway.server";
import { isReachable } from "./sms-reach.server";
import { smtpServer } from "./smtp.server";

/** The answer to a test message, and the gateway or the mail server that gave it. */
export type TestSent = Delivery & ({ readonly gateway: string } | { readonly server: string });

/** A test message. Both callbacks run only once the settings are right; the text is asked for last. */
interface TestMessage<Text> {
  /** Reads the phone number or the e-mail address, as typed. */
  readonly readRecipient: () => Promise<string>;
  readonly makeText: () => Promise<Text>;
}

/**
 * Sends one test message through an SMS gateway, as portals do. Errors never repeat the number.
 * @throws UsageError if the gateway is not set, or no messages are sent to the number
 */
export async function sendTestSms(
  settings: Environment,
  which: "first" | "fallback",
  { readRecipient, makeText }: TestMessage<string>,
): Promise<TestSent> {
  const gateway = gatewayOf(settings, which);
  const to = readPhone(await readRecipient());
  if (!isReachable(to, settings.SMS_PREFIXES))
    throw new UsageError("--to: expected a phone number such as +48500100001, of a country in SMS_PREFIXES");
  const text = await makeText();
  const sentAt = systemClock();
  const sms = { id: orderedId(sentAt), to, text, sentAt, endsAt: sentAt + MINUTE };
  return { gateway: gateway.name, ...(await gateway.send(sms, new AbortController().signal)) };
}

function gatewayOf(settings: Environment, which: "first" | "fallback"): SmsGateway {
  const sms = readSmsSettings(settings);
  const { first, fallback } = sms.gateway === "none" ? {} : smsGateways(sms, settings.limits);
  if (!first)
    throw new UsageError("SMS_GATEWAY: expected smsapi or webhook; the demo's outbox sends nothing");
  if (which === "first") return first;
  if (!fallback) throw new UsageError("--sms-fallback: SMS_FALLBACK_GATEWAY is not set");
  return fallback;
}

/**
 * Sends one test e-mail through the mail server, as portals do. Errors never repeat the address.
 * @throws UsageError if the mail server is not set, or the address is none
 */
export async function sendTestMail(
  settings: Environment,
  { readRecipient, makeText }: TestMessage<MailText>,
): Promise<TestSent> {
  const mail = mailSettings(settings);
  if (!mail) throw new UsageError("SMTP_URL: expected; without it no e-mails are sent");
  const server = smtpServer(mail, { name: brand().name, timeoutMs: settings.limits.MAIL_SEND_MS });
  const to = z.email().safeParse(await readRecipient()).data;
  if (to === undefined) throw new UsageError("--to: expected an e-mail address");
  const text = await makeText();
  const sentAt = systemClock();
  const delivery = await server.send(
    { ...text, id: orderedId(sentAt), to, sentAt },
    new AbortController().signal,
  );
  return { server: server.place, ...delivery };
}
