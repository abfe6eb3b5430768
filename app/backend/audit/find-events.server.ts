import { sql } from "kysely";
import type { Reader } from "../store/store.server";
import { archivesOf, eventsOf } from "./archives.server";
import type { StoredEvent } from "./event-hash.server";
import { byPosition, type Position } from "./events-in-order.server";

const PAGE = 1000;

/** The events to find; an absent field matches all. Times in ms: from `since`, before `until`. */
export interface EventFilter {
  readonly accountId?: string | undefined;
  /** Events of any of these subjects; with an account, in addition to its events. */
  readonly subjects?: readonly string[] | undefined;
  readonly events?: readonly string[] | undefined;
  readonly requestId?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** The highest event number. */
  readonly through?: number | undefined;
}

/** The last events, oldest first. */
export async function lastEvents(db: Reader, filter: EventFilter, most: number): Promise<StoredEvent[]> {
  const newest = await filtered(db, filter)
    .orderBy(orderFor(filter), "desc")
    .orderBy("id", "desc")
    .limit(most)
    .execute();
  return newest.reverse();
}

/** Events after a position, oldest first, read in pages. */
export async function* eventsAfter(
  db: Reader,
  filter: EventFilter,
  after: Position = { seq: -1, id: "" },
): AsyncGenerator<StoredEvent> {
  for (let last = after; ;) {
    const page = await pageAfter(db, filter, last);
    yield* page;
    const end = page.at(-1);
    if (!end || page.length < PAGE) return;
    last = end;
  }
}

/** Two queries: with one, each page would read all events with the same number again. */
async function pageAfter(db: Reader, filter: EventFilter, last: Position): Promise<StoredEvent[]> {
  const events = filtered(db, filter).orderBy(orderFor(filter)).orderBy("id");
  const same = await events.where("seq", "=", last.seq).where("id", ">", last.id).limit(PAGE).execute();
  if (same.length === PAGE) return same;
  const next = await events
    .where("seq", ">", last.seq)
    .limit(PAGE - same.length)
    .execute();
  return [...same, ...next];
}

/** Events of the archives, oldest first. @throws ArchiveProblem */
export async function* archivedEvents(
  db: Reader,
  folder: string,
  filter: EventFilter,
): AsyncGenerator<StoredEvent> {
  for (const archive of await archivesOf(db))
    for await (const event of eventsOf(folder, archive)) if (matches(event, filter)) yield event;
}

/** The last `most` of many events, in order. */
export async function lastOf(events: AsyncIterable<StoredEvent>, most: number): Promise<StoredEvent[]> {
  const kept: StoredEvent[] = [];
  for await (const event of events) {
    kept.push(event);
    if (kept.length > most) kept.shift();
  }
  return kept.sort(byPosition);
}

/** `seq + 0` makes the database use the person's index instead of walking all events in order. */
function orderFor({ accountId, subjects }: EventFilter) {
  return accountId === undefined && subjects === undefined ? sql.ref("seq") : sql`seq + 0`;
}

function filtered(
  db: Reader,
  { accountId, subjects, events, requestId, since, until, through }: EventFilter,
) {
  let query = db.selectFrom("audit_events").selectAll();
  if (accountId !== undefined || subjects !== undefined)
    query = query.where((eb) =>
      eb.or([
        ...(accountId === undefined ? [] : [eb("account_id", "=", accountId)]),
        ...(subjects === undefined ? [] : [eb("subject", "in", subjects)]),
      ]),
    );
  if (events) query = query.where("event", "in", events);
  if (requestId !== undefined) query = query.where("request_id", "=", requestId);
  if (since !== undefined) query = query.where("happened_at", ">=", since);
  if (until !== undefined) query = query.where("happened_at", "<", until);
  if (through !== undefined) query = query.where("seq", "<=", through);
  return query;
}

/** Whether an event passes the filter, for events that no query has filtered. */
export function matches(event: StoredEvent, filter: EventFilter): boolean {
  const { accountId, subjects, events, requestId, since, until, through } = filter;
  const isAnyone = accountId === undefined && subjects === undefined;
  const isTheirs =
    (accountId !== undefined && event.account_id === accountId) ||
    (event.subject !== null && (subjects?.includes(event.subject) ?? false));
  return (
    (isAnyone || isTheirs) &&
    (events?.includes(event.event) ?? true) &&
    (requestId === undefined || event.request_id === requestId) &&
    (since === undefined || event.happened_at >= since) &&
    (until === undefined || event.happened_at < until) &&
    (through === undefined || event.seq <= through)
  );
}
