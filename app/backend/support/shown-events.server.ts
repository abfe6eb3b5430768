import type { Reader } from "../store/store.server";
import { type EventFilter, lastEvents } from "../audit/find-events.server";

/** How many of the last events a command shows. */
export const EVENTS = 10;

/** An event as the help desk sees it. */
export interface ShownEvent {
  readonly at: Date;
  readonly event: string;
  readonly deviceName: string;
  /** Whether the insurer's staff did it. */
  readonly byStaff: boolean;
  /** Details in our own words, such as why a code was not sent. An operator's reason is left out. */
  readonly detail?: string;
}

/** The last events about a person, the newest first. */
export async function shownEvents(
  reader: Reader,
  filter: EventFilter,
  most: number,
): Promise<readonly ShownEvent[]> {
  const events = await lastEvents(reader, filter, most);
  return events.reverse().map(({ happened_at, event, device_name, operator, reason }) => ({
    at: new Date(happened_at),
    event,
    deviceName: device_name,
    byStaff: operator !== null,
    ...(operator === null && reason !== null && { detail: reason }),
  }));
}
