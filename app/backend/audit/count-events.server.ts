import type { StoredEvent } from "./event-hash.server";
import { DAY } from "~/platform/time.server";
import { eventsAfter } from "./find-events.server";
import { BEGINNING, type Events, eventsSince } from "./follow.server";
import type { AuditPlaces, EventQuery } from "./show-events.server";

/** The periods by which events are counted. They begin at midnight UTC, weeks on Mondays. */
export const PERIODS = ["day", "week", "all"] as const;
export type Period = (typeof PERIODS)[number];

/** How many events of a kind there were in a period. It names no person. */
export interface EventCount extends ReturnType<typeof kindOf> {
  readonly events: number;
  /** Accounts, and customers without one, that the events are about. */
  readonly people: number;
}

/** Counts events of each kind, in the order of periods and kinds. Names no person. @throws ArchiveProblem */
export function countEvents(
  { store, keyring, folder }: AuditPlaces,
  { filter, archives }: Pick<EventQuery, "filter" | "archives">,
  period: Period,
): Promise<readonly EventCount[]> {
  const events = archives
    ? eventsSince(store.read, { keyring, folder }, filter, BEGINNING)
    : eventsAfter(store.read, filter);
  return counted(events, period);
}

async function counted(events: Events, period: Period): Promise<readonly EventCount[]> {
  const counts = new Map<string, { kind: ReturnType<typeof kindOf>; events: number; people: Set<number> }>();
  // A number takes less memory than an id.
  const numbers = new Map<string, number>();
  for await (const event of events) {
    const kind = kindOf(event, period);
    const key = JSON.stringify(kind);
    const count = counts.get(key) ?? { kind, events: 0, people: new Set() };
    counts.set(key, count);
    count.events += 1;
    const person = personOf(event);
    if (person === undefined) continue;
    const number = numbers.get(person) ?? numbers.size;
    numbers.set(person, number);
    count.people.add(number);
  }
  return [...counts]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, { kind, events: all, people }]) => ({ ...kind, events: all, people: people.size }));
}

/** The group in which an event is counted. Leaves out a reason that staff typed, because it may be about one person. */
function kindOf({ happened_at, event, reason, purpose, operator }: StoredEvent, period: Period) {
  const byStaff = operator !== null;
  return { from: startOf(happened_at, period), event, reason: byStaff ? null : reason, purpose, byStaff };
}

const WEEK = 7 * DAY;
/** 1970 began on a Thursday. */
const FIRST_MONDAY = 4 * DAY;

/** The first day of the period. */
function startOf(at: number, period: Period): string | null {
  if (period === "all") return null;
  const start = period === "day" ? at : at - ((at - FIRST_MONDAY) % WEEK);
  return new Date(start).toISOString().slice(0, "YYYY-MM-DD".length);
}

const CUSTOMER_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

function personOf({ account_id, subject }: StoredEvent): string | undefined {
  if (account_id !== null) return account_id;
  return subject !== null && CUSTOMER_ID.test(subject) ? subject : undefined;
}
