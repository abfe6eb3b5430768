import type { Purpose } from "~/contract/purposes";

/** All gateways, as the first and as the second. The demo's outbox isn't one: it delivers nothing. */
export const GATEWAYS = ["smsapi", "webhook", "smsapi-fallback", "webhook-fallback"] as const;

/** The name of a gateway. */
export type GatewayName = (typeof GATEWAYS)[number];

/** The purpose of a message: a code, a notice by SMS, or a notice by e-mail. */
export type MessagePurpose = Purpose | "notice" | "mail-notice";
/** The gateway that took a message, or was asked to. */
export type MessageGateway = GatewayName | "smtp";
/** The outcome of a message; `given-up`: its time was over before the gateway took it. */
export type MessageState = "waiting" | "accepted" | "refused" | "given-up";
