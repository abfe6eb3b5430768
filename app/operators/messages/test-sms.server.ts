import type { Readable } from "node:stream";
import { readPhone } from "~/contract/rules";
import { brand } from "~/platform/config/brand.server";
import { environment } from "~/platform/config/environment.server";
import { readSmsSettings } from "~/platform/config/sms-variables.server";
import { MINUTE, systemClock } from "~/platform/time.server";
import { smsGateways } from "~/backend/messages/choose-gateway.server";
import type { SmsGateway } from "~/backend/messages/gateway.server";
import { isReachable } from "~/backend/messages/sms-reach.server";
import { orderedId } from "~/backend/store/store.server";
import { lineOfInput } from "../kit/choose-customer.server";
import { UsageError } from "../kit/command.server";
import type { TestSent } from "./test-sent.server";

/** The gateway of the portals, the first or the second. @throws UsageError if they have none */
function requiredGateway(which: "first" | "fallback"): SmsGateway {
  const settings = environment();
  if (settings.BACKEND_URL !== undefined)
    throw new UsageError("BACKEND_URL is set: the attached backend sends the messages");
  const sms = readSmsSettings(settings);
  const { first, fallback } = sms.gateway === "none" ? {} : smsGateways(sms, settings.limits);
  if (!first)
    throw new UsageError("SMS_GATEWAY: expected smsapi or webhook; the demo's outbox sends nothing");
  if (which === "first") return first;
  if (!fallback) throw new UsageError("--sms-fallback: SMS_FALLBACK_GATEWAY is not set");
  return fallback;
}

/** The number on standard input. A message never repeats it. @throws UsageError */
async function numberOfInput(input: Readable): Promise<string> {
  const number = readPhone(await lineOfInput(input, "--to", "a phone number"));
  if (!isReachable(number, environment().SMS_PREFIXES))
    throw new UsageError("--to: expected a phone number such as +48500100001, of a country in SMS_PREFIXES");
  return number;
}

/** Sends one message through a gateway of the portals, to the number on standard input. @throws UsageError */
export async function sendTestSms(input: Readable, which: "first" | "fallback"): Promise<TestSent> {
  const gateway = requiredGateway(which);
  const to = await numberOfInput(input);
  const { testText } = await import("~/i18n/sms-texts.server");
  const sentAt = systemClock();
  const text = testText(brand().smsName);
  const sms = { id: orderedId(sentAt), to, text, sentAt, endsAt: sentAt + MINUTE };
  const delivery = await gateway.send(sms, new AbortController().signal);
  return { facts: { gateway: gateway.name }, taker: gateway.name, what: "message", delivery };
}
