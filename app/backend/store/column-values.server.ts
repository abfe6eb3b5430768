import type { Purpose } from "~/contract/purposes";
import type { GatewayName } from "../sms/gateway.server";

/** The purpose of a message: a code, a notice by SMS, or a notice by e-mail. */
export type MessagePurpose = Purpose | "notice" | "mail-notice";
/** The gateway that took a message, or was asked to. */
export type MessageGateway = GatewayName | "smtp";
/** The outcome of a message; `given-up`: its time was over before the gateway took it. */
export type MessageState = "waiting" | "accepted" | "refused" | "given-up";

/** The customer types of specification §3. */
export type CustomerKind = "individual" | "no-id" | "company";
/** States set by a person. A timed lock is not one of them: it is counted in `attempts`. */
export type AccountState = "active" | "locked" | "expired" | "disabled";
/** `pending`: the password was right, but the device is not trusted and the code is missing. */
export type SessionState = "pending" | "active";
/** `blocked`: too many wrong tries or refusals. */
export type CodeState = "open" | "blocked" | "used";
