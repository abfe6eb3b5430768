import type { Limits } from "~/platform/config/limits";
import type { Levels } from "~/platform/telemetry/metrics.server";
import type { Tx } from "../store/store.server";
import type { MessageGateway } from "../store/message-kinds.server";
import type { Attempt, DeliveryResult } from "./delivery.server";
import type { ChannelName, Line, Waiting } from "./message-rows.server";

/** The queue of one channel, as services see it. */
export interface MessageQueue<Message> {
  /**
   * Queues a message in the transaction of its code or change: both are committed or neither. Doesn't wait for the
   * gateway.
   */
  put(tx: Tx, message: Message): Promise<void>;
}

/** A channel to customers: text messages through gateways, or e-mails through the mail server. */
export interface Channel<Message> extends MessageQueue<Message> {
  /** Marks the log lines. */
  readonly name: ChannelName;
  /** The lines of the queue, the most urgent first, and the maximum of workers for each. */
  readonly lines: readonly { readonly line: Line; readonly most: number }[];
  readonly events: Readonly<Record<SenderEvent, string>>;
  readonly limits: SenderLimits;
  readonly levels: Levels<"waiting" | "oldestSeconds">;
  /** The gateway that an expired message was waiting for. */
  readonly gateway: MessageGateway;
  /** Tries once. Undefined if the message has no recipient any more. Throws if the recipient can't be looked up. */
  send(message: Waiting, signal: AbortSignal): Promise<Attempt | undefined>;
  count(gateway: MessageGateway, result: DeliveryResult): void;
  /** The facts about a message in log lines: neither its recipient nor its text (S93). */
  facts(message: Waiting, gateway: MessageGateway): Readonly<Record<string, unknown>>;
}

/**
 * Log events. `unusable`: no message will be accepted until an operator fixes the configuration; `givenUp`: a message
 * expired; `failed`: the queue can't be read or written.
 */
type SenderEvent = "accepted" | "refused" | "postponed" | "unusable" | "givenUp" | "failed";

/** The limits of one channel. */
export interface SenderLimits {
  /** How many workers may be busy at once. */
  readonly parallel: number;
  /** How often a process looks for messages that are due again or that another process left, in ms. */
  readonly pollMs: number;
  /** How long messages that are being sent may take to finish when the process stops, in ms. */
  readonly stopMs: number;
  /** How long an attempt may take, in ms. */
  readonly attemptMs: number;
  /** The backoff before the second attempt, in s. It doubles with each attempt … */
  readonly retrySeconds: number;
  /** … up to this. */
  readonly retryMaxSeconds: number;
}

/** The limits of a channel, whose variables begin with its name. */
export function limitsOf(limits: Limits, name: "SMS" | "MAIL"): SenderLimits {
  return {
    parallel: limits[`${name}_PARALLEL`],
    pollMs: limits[`${name}_POLL_MS`],
    stopMs: limits[`${name}_STOP_MS`],
    attemptMs: limits[`${name}_SEND_MS`],
    retrySeconds: limits[`${name}_RETRY_SECONDS`],
    retryMaxSeconds: limits[`${name}_RETRY_MAX_SECONDS`],
  };
}
