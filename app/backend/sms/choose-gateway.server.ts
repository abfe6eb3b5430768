import type { Limits } from "~/platform/config/limits";
import type { SmsSettings } from "~/platform/config/sms-variables.server";
import type { SmsGateway } from "./gateway.server";
import { smsapiGateway } from "./smsapi.server";
import { webhookGateway } from "./webhook.server";

/** The gateway that the operator chose; undefined for the outbox, which sends nothing. */
export function smsGateway(settings: SmsSettings, limits: Limits): SmsGateway | undefined {
  const timeoutMs = limits.SMS_SEND_MS;
  switch (settings.gateway) {
    case "smsapi":
      return smsapiGateway({ ...settings, timeoutMs });
    case "webhook":
      return webhookGateway({ ...settings, timeoutMs });
    case "outbox":
      return undefined;
  }
}
