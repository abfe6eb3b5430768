import { setTimeout as wait } from "node:timers/promises";
import type { StoredEvent } from "../../services/audit/event-hash.server";
import { eventsAfter, type EventFilter } from "../../services/audit/find-events.server";
import type { Store } from "../../store/store.server";
import type { Events } from "./event-lines.server";

const PAUSE_MS = 1000;
/**
 * On PostgreSQL an event may appear after others with higher numbers: a transaction takes its number before it commits.
 */
const LOOK_BACK = 500;

/**
 * Yields events, then new ones as they come, without end.
 * @param read reads the first events
 */
export async function* follow(
  store: Store,
  filter: EventFilter,
  read: () => Promise<Events>,
): AsyncGenerator<StoredEvent> {
  let last = await newest(store);
  const begin = last - LOOK_BACK;
  /** Events that existed at the start, and those yielded since. */
  const known = new Map<string, number>();
  for await (const { id, seq } of eventsAfter(store.read, filter, { seq: begin, id: "" })) known.set(id, seq);
  for await (const event of await read()) {
    if (event.seq > begin) known.set(event.id, event.seq);
    yield event;
  }
  for (;;) {
    const now = await newest(store);
    for await (const event of eventsAfter(store.read, filter, { seq: last - LOOK_BACK, id: "" })) {
      if (known.has(event.id)) continue;
      known.set(event.id, event.seq);
      yield event;
    }
    last = Math.max(last, now);
    for (const [id, seq] of known) if (seq <= last - LOOK_BACK) known.delete(id);
    await wait(PAUSE_MS);
  }
}

async function newest(store: Store): Promise<number> {
  const query = store.read.selectFrom("audit_events").select("seq").orderBy("seq", "desc").limit(1);
  return (await query.executeTakeFirst())?.seq ?? -1;
}
