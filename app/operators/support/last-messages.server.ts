import type { GatewayName, Progress, SmsGateway } from "~/backend/sms/gateway.server";
import { lastMessages, type SentMessage } from "~/backend/sms/messages.server";
import type { Reader } from "~/backend/store/store.server";

/** What became of a message, for the help desk: neither its text nor its number. */
export interface ShownMessage extends Pick<SentMessage, "purpose" | "state"> {
  readonly writtenAt: Date;
  /** Since when it is in its state. */
  readonly since: Date;
  readonly reason?: string;
  /** Missing in the demo, which shows its messages instead. */
  readonly gateway?: GatewayName;
  readonly gatewayId?: string;
  /** How far it has come since the gateway took it, if the gateway can be asked and says. */
  readonly progress?: Progress;
}

/** The last message of each kind to a customer, the newest first. */
export async function shownMessages(reader: Reader, customerId: string): Promise<readonly ShownMessage[]> {
  const messages = await lastMessages(reader, customerId);
  return messages.map(({ purpose, state, reason, gateway, gatewayId, writtenAt, changedAt }) => ({
    purpose,
    state,
    writtenAt: new Date(writtenAt),
    since: new Date(changedAt),
    ...(reason !== undefined && { reason }),
    ...(gateway !== undefined && { gateway }),
    ...(gatewayId !== undefined && { gatewayId }),
  }));
}

/** Asks the gateway how far the messages have come that it took. Takes as long as one answer may. Never throws. */
export function askProgress(
  messages: readonly ShownMessage[],
  gateway: SmsGateway | undefined,
): Promise<readonly ShownMessage[]> {
  const never = new AbortController().signal;
  return Promise.all(
    messages.map(async (message) => {
      const { state, gatewayId } = message;
      if (state !== "accepted" || gatewayId === undefined || message.gateway !== gateway?.name)
        return message;
      const progress = await gateway?.progress?.(gatewayId, never);
      return progress === undefined ? message : { ...message, progress };
    }),
  );
}
