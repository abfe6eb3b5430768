import { MINUTE, systemClock } from "~/platform/time.server";
import { noteSuccess } from "../jobs/job-successes.server";
import type { Keyring } from "../secrets/keyring.server";
import type { Store } from "../store/store.server";
import { archivesOf } from "./archives.server";
import { audit, type StaffSource } from "./audit-event.server";
import type { StoredEvent } from "./event-hash.server";
import { archivedEvents, type EventFilter, eventsAfter, lastEvents, lastOf } from "./find-events.server";
import { BEGINNING, Cursor, type Events, eventsSince, follow } from "./follow.server";

/** Where the audit is. */
export interface AuditPlaces {
  readonly store: Store;
  readonly keyring: Keyring;
  /** The folder of archived months. */
  readonly folder: string;
}

/** The events to show. */
export interface EventQuery {
  readonly filter: EventFilter;
  /** Whether to read archived months, too. */
  readonly archives: boolean;
  /** Only the last events; undefined for all. Not with a cursor. */
  readonly last?: number | undefined;
  /** Whether to go on with new events, without end. */
  readonly follow: boolean;
  /**
   * The file of a cursor. Events begin after the event that it names, and `onWritten` moves it. Only with `follow`.
   */
  readonly cursor?: string | undefined;
}

/** Events to write. */
export interface EventsToShow {
  readonly events: Events;
  /** To be called after each event is written: moves the cursor, if the query has one. */
  readonly onWritten: (event: StoredEvent) => void;
}

/**
 * Finds events for a member of staff, or follows them, and audits that.
 * @throws UsageError if the cursor can't be opened; ArchiveProblem, also while the events are read
 */
export async function showEvents(
  places: AuditPlaces,
  source: StaffSource,
  query: EventQuery,
): Promise<EventsToShow> {
  const { store } = places;
  const cursor = query.cursor === undefined ? undefined : await Cursor.open(store.read, query.cursor);
  const { accountId, subjects } = query.filter;
  const about = accountId === undefined ? { subject: subjects?.[0] } : { accountId };
  await store.write((tx) => audit(tx, source, systemClock(), { event: "audit-shown", ...about }));
  if (!cursor) return { events: await findOrFollow(places, query), onWritten: () => undefined };
  const onWritten = (event: StoredEvent) => {
    cursor.moveTo(event);
  };
  return { events: followAfter(places, query, cursor), onWritten };
}

/** The newest month of the audit that is archived. Undefined if there is none. */
export async function newestArchivedMonth(store: Store): Promise<string | undefined> {
  return (await archivesOf(store.read)).at(-1)?.month;
}

async function findOrFollow({ store, folder }: AuditPlaces, query: EventQuery): Promise<Events> {
  const { archives, last } = query;
  async function* all(filter: EventFilter) {
    if (archives) yield* archivedEvents(store.read, folder, filter);
    yield* eventsAfter(store.read, filter);
  }
  const read = async (filter: EventFilter): Promise<Events> => {
    if (last === undefined) return all(filter);
    return archives ? lastOf(all(filter), last) : lastEvents(store.read, filter, last);
  };
  return query.follow ? follow(store.read, query.filter, read) : read(query.filter);
}

function followAfter({ store, keyring, folder }: AuditPlaces, query: EventQuery, cursor: Cursor): Events {
  const position = cursor.position ?? (query.archives ? BEGINNING : undefined);
  const read = (filter: EventFilter) =>
    Promise.resolve(
      position
        ? eventsSince(store.read, { keyring, folder }, filter, position)
        : eventsAfter(store.read, filter),
    );
  return follow(store.read, query.filter, read, makeSuccessRecorder(store));
}

/** Records a success of the job `follow`, which the metrics of portals show. Writes at most once a minute. */
function makeSuccessRecorder(store: Store): () => Promise<void> {
  let notedAt = -Infinity;
  return async () => {
    const now = systemClock();
    if (now - notedAt < MINUTE) return;
    await store.write((tx) => noteSuccess(tx, "follow", now));
    notedAt = now;
  };
}
