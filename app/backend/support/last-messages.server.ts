import type { Progress, SmsGateway } from "../messages/gateway.server";
import type { Reader } from "../store/store.server";
import type { MessageGateway, MessagePurpose, MessageState } from "../store/message-kinds.server";

/** The outcome of a message, for the help desk: without its text, number or address (S142). */
export interface ShownMessage {
  readonly purpose: MessagePurpose;
  /** `unknown`: it no longer waits, because a backup was restored. */
  readonly state: MessageState | "unknown";
  readonly writtenAt: Date;
  /** When it got into its state. */
  readonly since: Date;
  /** Why it was refused, or still waits, in our words. */
  readonly reason?: string;
  /** Missing in the demo, which shows its messages instead. */
  readonly gateway?: MessageGateway;
  /** The gateway's own id. */
  readonly gatewayId?: string;
  /** Its progress since the gateway took it, if the gateway can be asked and answers. */
  readonly progress?: Progress;
}

/** The last message of each kind to a customer, the newest first. */
export async function lastMessages(reader: Reader, customerId: string): Promise<readonly ShownMessage[]> {
  const messages = await messagesTo(reader, customerId);
  const newest = new Map(messages.toReversed().map((message) => [message.purpose, message]));
  return messages.filter((message) => newest.get(message.purpose) === message);
}

/** All messages to a customer, the newest first, for as long as they are kept (`MESSAGE_DAYS`). */
export async function messagesTo(reader: Reader, customerId: string): Promise<readonly ShownMessage[]> {
  const rows = await reader
    .selectFrom("messages")
    .select(["purpose", "state", "written_at", "changed_at", "reason", "gateway", "gateway_id", "due_at"])
    .where("customer_id", "=", customerId)
    .orderBy("id", "desc")
    .execute();
  return rows.map((row) => ({
    purpose: row.purpose,
    state: row.state === "waiting" && row.due_at === null ? "unknown" : row.state,
    writtenAt: new Date(row.written_at),
    since: new Date(row.changed_at),
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.gateway !== null && { gateway: row.gateway }),
    ...(row.gateway_id !== null && { gatewayId: row.gateway_id }),
  }));
}

/** Asks the gateways for the progress of messages they took. Takes no longer than one answer may. Never throws. */
export function askProgress(
  messages: readonly ShownMessage[],
  gateways: readonly (SmsGateway | undefined)[],
): Promise<readonly ShownMessage[]> {
  const never = new AbortController().signal;
  return Promise.all(
    messages.map(async (message) => {
      const { state, gatewayId } = message;
      const gateway = gateways.find((one) => one?.name === message.gateway);
      if (state !== "accepted" || gatewayId === undefined) return message;
      const progress = await gateway?.progress?.(gatewayId, never);
      return progress === undefined ? message : { ...message, progress };
    }),
  );
}
