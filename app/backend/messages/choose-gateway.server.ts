import type { Limits } from "~/platform/config/limits";
import {
  completeGateways,
  type GatewaySettings,
  type SmsSettings,
  type SmsVariables,
} from "~/platform/config/sms-variables.server";
import type { CheckedGateway } from "./gateway.server";
import { smsapiGateway } from "./smsapi.server";
import { webhookGateway } from "./webhook.server";

/** The gateways that the operator chose. */
export interface ChosenGateways {
  /** Undefined for the outbox, which sends nothing. */
  readonly first?: CheckedGateway | undefined;
  /** The second one, for messages that the first doesn't take. */
  readonly fallback?: CheckedGateway | undefined;
}

/** Makes the gateways that the settings name. */
export function smsGateways(settings: SmsSettings, limits: Limits): ChosenGateways {
  if (settings.gateway === "outbox") return {};
  return {
    first: gatewayOf(settings, limits, ""),
    fallback: settings.fallback && gatewayOf(settings.fallback, limits, "-fallback"),
  };
}

/** The gateways with complete settings, to query the status of messages. One may be complete without the other. */
export function gatewaysToAsk(settings: SmsVariables, limits: Limits): ChosenGateways {
  const { first, fallback } = completeGateways(settings);
  return {
    first: first && gatewayOf(first, limits, ""),
    fallback: fallback && gatewayOf(fallback, limits, "-fallback"),
  };
}

function gatewayOf(settings: GatewaySettings, limits: Limits, place: "" | "-fallback"): CheckedGateway {
  const timeoutMs = limits.SMS_SEND_MS;
  return settings.gateway === "smsapi"
    ? smsapiGateway({ ...settings, timeoutMs }, `smsapi${place}`)
    : webhookGateway({ ...settings, timeoutMs }, `webhook${place}`);
}
